// SPDX-License-Identifier: GPL-3.0-or-later
// The three everyday jobs, with what each has to print.

const fibonacci = '0\n1\n1\n2\n3\n5\n8\n13\n21\n34\n';
const statistics = 'mean 1550.00\nmedian 1600.00\nstdev 350.71\nmax 2000\nmin 1100\n';
// 7 values: 6 passes of 6 comparisons, or 6 + 5 + 4 + 3 + 2 + 1.
const sorted = '[11, 12, 22, 25, 34, 64, 90]\nwith the bound 21 comparisons\nwithout it 36 comparisons\n';

export const jobs = [
  {
    name: 'Fibonacci numbers', language: 'python', prints: fibonacci,
    code: `def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a

for n in range(10):
    print(fibonacci(n))
`,
  },
  {
    name: 'Fibonacci numbers', language: 'javascript', prints: fibonacci,
    code: `function fibonacci(n) {
  let [a, b] = [0, 1];
  for (let i = 0; i < n; i++) [a, b] = [b, a + b];
  return a;
}
for (let n = 0; n < 10; n++) console.log(fibonacci(n));
`,
  },
  {
    name: 'Fibonacci numbers', language: 'bash', prints: fibonacci,
    code: `a=0 b=1
for n in {0..9}; do
  echo "$a"
  next=$((a + b)) a=$b b=$next
done
`,
  },
  {
    name: 'sales statistics', language: 'python', prints: statistics,
    code: `import statistics

sales = [1200, 1500, 1100, 1800, 2000, 1700]
print(f"mean {statistics.mean(sales):.2f}")
print(f"median {statistics.median(sales):.2f}")
print(f"stdev {statistics.stdev(sales):.2f}")
print("max", max(sales))
print("min", min(sales))
`,
  },
  {
    name: 'sales statistics', language: 'javascript', prints: statistics,
    code: `const sales = [1200, 1500, 1100, 1800, 2000, 1700];
const mean = sales.reduce((a, b) => a + b) / sales.length;
const ordered = [...sales].sort((a, b) => a - b);
const middle = ordered.length / 2;
const median = (ordered[middle - 1] + ordered[middle]) / 2;
const stdev = Math.sqrt(sales.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (sales.length - 1));
console.log('mean', mean.toFixed(2));
console.log('median', median.toFixed(2));
console.log('stdev', stdev.toFixed(2));
console.log('max', Math.max(...sales));
console.log('min', Math.min(...sales));
`,
  },
  {
    name: 'bubble sort', language: 'python', prints: sorted,
    code: `def bubble_sort(values, bound):
    values, comparisons = list(values), 0
    n = len(values)
    for i in range(n - 1):
        for j in range(n - i - 1 if bound else n - 1):
            comparisons += 1
            if values[j] > values[j + 1]:
                values[j], values[j + 1] = values[j + 1], values[j]
    return values, comparisons

data = [64, 34, 25, 12, 22, 11, 90]
values, bounded = bubble_sort(data, True)
print(values)
print("with the bound", bounded, "comparisons")
print("without it", bubble_sort(data, False)[1], "comparisons")
`,
  },
  {
    name: 'bubble sort', language: 'javascript', prints: sorted,
    code: `function bubbleSort(data, bound) {
  const values = [...data], n = values.length;
  let comparisons = 0;
  for (let i = 0; i < n - 1; i++)
    for (let j = 0; j < (bound ? n - i - 1 : n - 1); j++) {
      comparisons++;
      if (values[j] > values[j + 1]) [values[j], values[j + 1]] = [values[j + 1], values[j]];
    }
  return [values, comparisons];
}
const data = [64, 34, 25, 12, 22, 11, 90];
const [values, bounded] = bubbleSort(data, true);
console.log('[' + values.join(', ') + ']');
console.log('with the bound', bounded, 'comparisons');
console.log('without it', bubbleSort(data, false)[1], 'comparisons');
`,
  },
];
