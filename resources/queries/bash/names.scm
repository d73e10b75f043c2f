(variable_assignment name: (variable_name) @bind value: (word) @value)
