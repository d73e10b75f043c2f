;; rule: bash.privilege
;; severity: high
;; category: privilege
;; message: asks for more rights
((command name: (command_name) @at) (#any-of? @at "sudo" "su" "doas" "pkexec" "setpriv" "runuser" "capsh"))

;; rule: bash.network
;; severity: medium
;; category: network
;; message: uses the network
((command name: (command_name) @at) (#any-of? @at "curl" "wget" "nc" "ncat" "netcat" "telnet" "ssh" "scp" "sftp" "rsync" "ftp" "socat" "nmap" "dig" "nslookup" "host" "ping"))

;; rule: bash.dev-tcp
;; severity: high
;; category: network
;; message: opens a connection through the shell
((word) @at (#match? @at "^/dev/(tcp|udp)/"))
((string) @at (#match? @at "/dev/(tcp|udp)/"))
((concatenation) @at (#match? @at "^/dev/(tcp|udp)/"))

;; rule: bash.delete-root
;; severity: critical
;; category: files
;; message: deletes what is not its own
((command name: (command_name) @c argument: (_) @flag argument: (_) @at)
 (#eq? @c "rm") (#match? @flag "^-[a-zA-Z]*[rR]|^--recursive$") (#match? @at "^[\"']?(/|~|\\$HOME|\\$\\{HOME)") (#not-match? @at "^[\"']?/(tmp|workspace|dev/shm)/?[A-Za-z0-9._*-]"))
((command name: (command_name) @c argument: (_) @at) (#eq? @c "rm") (#match? @at "^--no-preserve-root$"))
((command name: (command_name) @c argument: (_) @start argument: (_) @at) (#eq? @c "find") (#match? @start "^/$") (#any-of? @at "-delete" "-exec"))

;; rule: bash.delete-tree
;; severity: low
;; category: files
;; message: deletes a folder with all that is in it
((command name: (command_name) @at argument: (_) @flag) (#eq? @at "rm") (#match? @flag "^-[a-zA-Z]*[rR]|^--recursive$"))

;; rule: bash.mount
;; severity: high
;; category: privilege
;; message: changes mounts or namespaces
((command name: (command_name) @at) (#any-of? @at "mount" "umount" "chroot" "pivot_root" "unshare" "nsenter" "losetup" "insmod" "modprobe" "sysctl" "iptables" "nft"))

;; rule: bash.device
;; severity: critical
;; category: files
;; message: writes to a device or makes a file system
((command name: (command_name) @at) (#match? @at "^(mkfs|mkswap|wipefs|fdisk|sfdisk|parted|shred)"))
((command name: (command_name) @c argument: (_) @at) (#eq? @c "dd") (#match? @at "^of=/dev/(sd|hd|vd|nvme|xvd|mmc|mem|disk|mapper)"))
((file_redirect destination: (_) @at) (#match? @at "^/dev/(sd|hd|vd|nvme|xvd|mmc|mem|disk|mapper)"))

;; rule: bash.copy-device
;; severity: medium
;; category: files
;; message: copies blocks
((command name: (command_name) @at) (#eq? @at "dd"))

;; rule: bash.setuid
;; severity: high
;; category: privilege
;; message: lets a file run with its owner's rights
((command name: (command_name) @c argument: (_) @at) (#eq? @c "chmod") (#match? @at "^[ugoa]*[+=][rwxXt]*s|^[0-7]?[4-7][0-7]{3}$"))
((command name: (command_name) @at) (#any-of? @at "setcap" "setfacl" "chattr"))

;; rule: bash.fork-bomb
;; severity: critical
;; category: process
;; message: starts itself again and again
((function_definition name: (_) @at body: (_ (pipeline (command name: (command_name) @a) (command name: (command_name) @b)))) (#eq? @at @a) (#eq? @at @b))
((program) @at (#match? @at ":\\s*\\(\\)\\s*\\{\\s*:\\s*\\|\\s*:\\s*&"))

;; rule: bash.eval
;; severity: high
;; category: dynamic
;; message: runs a text as code
((command name: (command_name) @at) (#eq? @at "eval"))
((command name: (command_name) @c argument: (_) @flag argument: (_) @at) (#any-of? @c "bash" "sh" "dash" "zsh" "ksh") (#eq? @flag "-c") (#not-kind? @at "raw_string"))

;; rule: bash.decode-exec
;; severity: critical
;; category: dynamic
;; message: decodes a text and runs it
((pipeline (command name: (command_name) @d) (command name: (command_name) @at))
 (#match? @d "^(base64|base32|xxd|openssl|gunzip|zcat|rev|tr|printf|echo|cat)$") (#any-of? @at "sh" "bash" "dash" "zsh" "ksh" "python" "python3" "perl" "node" "ruby"))
((pipeline (command) (command name: (command_name) @d) (command name: (command_name) @at))
 (#match? @d "^(base64|base32|xxd|openssl|gunzip|zcat|rev|tr)$") (#any-of? @at "sh" "bash" "dash" "zsh" "ksh" "python" "python3" "perl" "node" "ruby"))
((command name: (command_name) @c argument: (_) @at) (#any-of? @c "eval" "bash" "sh" "source" ".") (#match? @at "base64|xxd|openssl|gunzip|rev\\b"))

;; rule: bash.download-exec
;; severity: critical
;; category: network
;; message: runs what it has downloaded
((pipeline (command name: (command_name) @d) (command name: (command_name) @at)) (#any-of? @d "curl" "wget") (#any-of? @at "sh" "bash" "dash" "zsh" "python" "python3" "perl" "node" "ruby" "sudo"))
((command name: (command_name) @c argument: (_) @at) (#any-of? @c "bash" "sh" "eval" "source" ".") (#match? @at "\\b(curl|wget)\\b"))

;; rule: bash.history
;; severity: medium
;; category: hiding
;; message: hides what was done
((command name: (command_name) @c argument: (_) @at) (#eq? @c "history") (#match? @at "^-[cdw]"))
((variable_assignment name: (variable_name) @at) (#any-of? @at "HISTFILE" "HISTSIZE" "HISTFILESIZE" "HISTCONTROL"))
((unset_command (variable_name) @at) (#any-of? @at "HISTFILE" "HISTSIZE"))

;; rule: bash.persistence
;; severity: high
;; category: hiding
;; message: makes something run later
((command name: (command_name) @at) (#any-of? @at "crontab" "at" "batch" "systemctl" "service" "update-rc.d" "systemd-run"))
((file_redirect destination: (_) @at) (#match? @at "/etc/(cron|profile|rc|init|systemd|ld\\.so)|\\.bashrc|\\.profile|\\.bash_profile|\\.zshrc|authorized_keys"))

;; rule: bash.write-outside
;; severity: high
;; category: files
;; message: writes outside of the workspace
((file_redirect destination: (_) @at) (#match? @at "^[\"']?(/(etc|usr|bin|sbin|lib|boot|root|home|var|opt|proc|sys)/|~)"))
((command name: (command_name) @c argument: (_) @at) (#eq? @c "tee") (#match? @at "^[\"']?/(etc|usr|bin|sbin|lib|boot|root|home|var|opt|proc|sys)/"))

;; rule: bash.secrets
;; severity: high
;; category: files
;; message: names a place where secrets are kept
((word) @at (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh(/|$)|id_rsa|\\.aws/|\\.docker/config|\\.kube/|\\.netrc|/proc/(self|[0-9]+|1)/(environ|mem|maps|root)|docker\\.sock|169\\.254\\.169\\.254"))
((string) @at (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh/|id_rsa|\\.aws/|\\.docker/config|/proc/(self|1)/(environ|mem)|docker\\.sock|169\\.254\\.169\\.254"))
((raw_string) @at (#match? @at "/etc/(shadow|passwd|sudoers)|\\.ssh/|\\.aws/|docker\\.sock|169\\.254\\.169\\.254"))

;; rule: bash.kill
;; severity: medium
;; category: process
;; message: signals other processes
((command name: (command_name) @at) (#any-of? @at "killall" "pkill"))
((command name: (command_name) @c argument: (_) @at) (#eq? @c "kill") (#match? @at "^-1$|^1$"))

;; rule: bash.environment
;; severity: low
;; category: environment
;; message: reads environment variables
((command name: (command_name) @at) (#any-of? @at "env" "printenv"))

;; rule: bash.dynamic
;; severity: medium
;; category: dynamic
;; message: runs a command whose name can't be seen
((command name: (command_name (simple_expansion) @at)))
((command name: (command_name (expansion) @at)))
((command name: (command_name (command_substitution) @at)))

;; rule: bash.false-quotes
;; severity: medium
;; category: hidden
;; message: marks that look like quotes and quote nothing
((word) @at (#match? @at "[\\x{2018}-\\x{201F}\\x{FF02}\\x{FF07}]"))
