//! What looks like a full GPU and is not: the system's memory, its paging file, shared memory, disks.
//!
//! Sources: `mm/oom_kill.c` of Linux, slurmstepd, systemd, `c10/core/impl/alloc_cpu.cpp`, `torch/utils/data/_utils`,
//! numpy's `_ArrayMemoryError`, and public threads.

use super::evidence::Kind;
use super::template::Group;
use crate::rows;

/// The system ended the process: the kernel, a container, a scheduler, or only the signal. kB are KiB.
pub const KILLED: Group = Group {
    tool: "system",
    kind: Kind::HostKilled,
    rows: rows![
        "killed-kernel" Joins "HOST-2" "Out of memory: Killed process {pid:int} ({process_name:text})", "Linux 5 and later",
            "[12345.678901] Out of memory: Killed process 4242 (python3) total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB, shmem-rss:0kB";
        "killed-kernel" Joins "HOST-2" "Out of memory: Kill process {pid:int} ({process_name:text}) score", "Linux 4", "Out of memory: Kill process 4242 (python3) score 951 or sacrifice child";
        "killed-kernel" Joins "HOST-2" "Killed process {pid:int} ({process_name:text})", "Linux", "Killed process 4242 (python3) total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB";
        "killed-kernel" Joins "HOST-2" "Killed process {pid:int}, UID {_uid:int}, ({process_name:text})", "Red Hat's Linux", "Killed process 4242, UID 1000, (python3) total-vm:98566144kB, anon-rss:64512000kB";
        "killed-cgroup" Joins "HOST-2" "Memory cgroup out of memory: Killed process {pid:int} ({process_name:text})", "Linux 5 and later",
            "Memory cgroup out of memory: Killed process 4242 (python3) total-vm:98566144kB, anon-rss:16512000kB, file-rss:1024kB, shmem-rss:0kB";
        "killed-cgroup" Joins "HOST-2" "Memory cgroup out of memory: Kill process {pid:int} ({process_name:text}) score", "Linux 4",
            "Memory cgroup out of memory: Kill process 4242 (python3) score 1951 or sacrifice child";
        "killed-sizes" Adds "HOST-2" "total-vm:{total_vm:kib}kB, anon-rss:{anon_rss:kib}kB, file-rss:{file_rss:kib}kB", "Linux",
            "total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB, shmem-rss:0kB";
        "killed-sizes" Adds "HOST-2" "total-vm:{total_vm:kib}kB, anon-rss:{anon_rss:kib}kB, file-rss:{file_rss:kib}kB, shmem-rss:{shmem_rss:kib}kB", "Linux 4.5 and later",
            "total-vm:98566144kB, anon-rss:64512000kB, file-rss:1024kB, shmem-rss:0kB";
        "killed-constraint" Joins "HOST-2" "oom-kill:constraint=CONSTRAINT_NONE", "Linux 5 and later", "oom-kill:constraint=CONSTRAINT_NONE,nodemask=(null),cpuset=/,mems_allowed=0,global_oom,task=python3,pid=4242,uid=1000";
        "killed-cgroup-constraint" Joins "HOST-2" "oom-kill:constraint=CONSTRAINT_MEMCG", "Linux 5 and later",
            "oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,task=python3,pid=4242,uid=0";
        "killed-cgroup-limit" Joins "HOST-2" "memory: usage {used:kib}kB, limit {limit:kib}kB, failcnt", "Linux", "memory: usage 16777216kB, limit 16777216kB, failcnt 8122";
        "killed-invoked" Joins "HOST-2" "invoked oom-killer", "Linux", "python3 invoked oom-killer: gfp_mask=0x100cca(GFP_HIGHUSER_MOVABLE), order=0, oom_score_adj=0";
        "killed-reaper" Adds "HOST-2" "oom_reaper: reaped process {pid:int} ({process_name:text}), now anon-rss", "Linux 4.6 and later",
            "oom_reaper: reaped process 4242 (python3), now anon-rss:0kB, file-rss:0kB, shmem-rss:0kB";
        "killed-kubernetes" Joins "HOST-3" "The node was low on resource: memory", "Kubernetes", "The node was low on resource: memory. Threshold quantity: 100Mi, available: 91Mi.";
        "killed-kubernetes" Joins "HOST-3" "OOMKilled", "Kubernetes, Docker", "      Reason:       OOMKilled";
        "killed-pod-limit" Adds "HOST-3" "Limits: cpu: {_cpu:word} memory: {limit:dec}", "Kubernetes", "    Limits:\n      cpu:             8\n      memory:          16Gi";
        "killed-pod-limit" Adds "HOST-3" "Limits: memory: {limit:dec}", "Kubernetes", "    Limits:\n      memory:  16Gi";
        "not-killed" Hints "" "OOMKilled: false", "docker inspect", "\"OOMKilled\": false,";
        "killed-slurm" Joins "HOST-4" "Detected {events:int} oom-kill event(s) in StepId={step:word}", "Slurm 20 and later",
            "slurmstepd: error: Detected 1 oom-kill event(s) in StepId=191.batch cgroup. Some of your processes may have been killed by the cgroup out-of-memory handler.";
        "killed-slurm" Joins "HOST-4" "Detected {events:int} oom_kill event in StepId={step:word}", "Slurm 23 and later", "slurmstepd: error: Detected 1 oom_kill event in StepId=191.batch.";
        "killed-slurm" Joins "HOST-4" "Detected {events:int} oom_kill events in StepId={step:word}", "Slurm 23 and later", "slurmstepd: error: Detected 2 oom_kill events in StepId=191.0.";
        "killed-slurm" Joins "HOST-4" "Detected {events:int} oom-kill event(s) in step {step:word}", "Slurm before 20", "slurmstepd: error: Detected 3 oom-kill event(s) in step 5512.0 cgroup.";
        "killed-slurm-task" Joins "HOST-4" "srun: error: {_node:word}: task {_task:word}: Out Of Memory", "Slurm's srun", "srun: error: node07: task 0: Out Of Memory";
        "killed-slurm-task" Joins "HOST-4" "srun: error: {_node:word}: tasks {_tasks:word}: Out Of Memory", "Slurm's srun", "srun: error: node07: tasks 0-3: Out Of Memory";
        "killed-slurm-task" Joins "HOST-4" "State: OUT_OF_MEMORY", "Slurm's seff", "State: OUT_OF_MEMORY (exit code 0)";
        "killed-slurm-task" Joins "HOST-4" "OUT_OF_ME+", "Slurm's sacct", "191.batch      batch            gpu          8 OUT_OF_ME+    0:125";
        "killed-slurm-limit" Joins "HOST-4" "exceeded memory limit ({used:kib} > {limit:kib}), being killed", "Slurm", "slurmstepd: error: Job 191 exceeded memory limit (17039360 > 16777216), being killed";
        "killed-systemd" Joins "HOST-5" "A process of this unit has been killed by the OOM killer", "systemd", "llama.service: A process of this unit has been killed by the OOM killer.";
        "killed-systemd" Joins "HOST-5" "Failed with result 'oom-kill'", "systemd", "llama.service: Failed with result 'oom-kill'.";
        "killed-systemd" Joins "HOST-5" "due to memory pressure for", "systemd-oomd", "Killed /user.slice/user-1000.slice/session-2.scope due to memory pressure for /user.slice being 78.1% > 50.0% for > 20s";
        "killed-worker" Joins "HOST-7" "DataLoader worker (pid {pid:int}) is killed by signal: Killed", "PyTorch 1.0 and later",
            "RuntimeError: DataLoader worker (pid 4242) is killed by signal: Killed. ";
        "killed-worker" Joins "HOST-7" "DataLoader worker (pid(s) {pid:int}) is killed by signal: Killed", "PyTorch", "RuntimeError: DataLoader worker (pid(s) 4242) is killed by signal: Killed.";
        "killed-worker-exit" Joins "HOST-7" "DataLoader worker (pid(s) {pids:text}) exited unexpectedly", "PyTorch 1.0 and later",
            "RuntimeError: DataLoader worker (pid(s) 12345, 12346) exited unexpectedly";
        "killed-build" Joins "HOST-10" "Killed signal terminated program", "gcc", "c++: fatal error: Killed signal terminated program cc1plus";
        "killed-signal" Joins "HOST-1" "^Killed$", "shells", "Killed";
        "killed-signal" Joins "HOST-1" "zsh: killed", "zsh", "zsh: killed     python train.py";
        "killed-signal" Joins "HOST-1" "]+ Killed", "bash", "[1]+  Killed                  python train.py";
        "killed-signal" Joins "HOST-1" "line {_line:int}: {pid:int} Killed", "bash scripts", "/var/spool/slurmd/job00191/slurm_script: line 28:  8156 Killed                  python3 main.py --epochs 400";
        "killed-signal" Joins "HOST-1" "[{_job:int}] {pid:int} killed", "zsh", "[1]    31337 killed     python train.py";
        "killed-signal" Joins "HOST-1" "signal 9: SIGKILL", "PyCharm", "Process finished with exit code 137 (interrupted by signal 9: SIGKILL)";
        "killed-signal" Joins "HOST-1" "signal: killed", "Go", "signal: killed";
        "killed-signal" Joins "HOST-1" "<Signals.SIGKILL: 9>", "Python's subprocess", "subprocess.CalledProcessError: Command '['python', 'train.py']' died with <Signals.SIGKILL: 9>.";
        "killed-signal" Joins "HOST-1" "Signal 9 (SIGKILL)", "torchrun", "Signal 9 (SIGKILL) received by PID 27657";
        "killed-signal" Joins "HOST-1" "exitcode: -9", "torchrun", "ERROR:torch.distributed.elastic.multiprocessing.api:failed (exitcode: -9) local_rank: 0 (pid: 27657) of binary: /opt/venv/bin/python";
        "killed-signal" Joins "HOST-1" "returncode -9", "launchers", "worker 3 returncode -9";
        "killed-signal" Joins "HOST-1" "returncode: -9", "launchers", "returncode: -9";
        "killed-signal" Joins "HOST-1" "return code = -9", "DeepSpeed's launcher", "[launch.py:321:sigkill_handler] ['python', 'train.py'] exits with return code = -9";
        "killed-signal" Joins "HOST-1" "exit status -9", "Python's subprocess", "returned non-zero exit status -9.";
        "killed-signal" Joins "HOST-1" "code=killed, status=9/KILL", "systemd", "ollama.service: Main process exited, code=killed, status=9/KILL";
        "killed-signal" Joins "HOST-1" "exit code (137)", "Flyte", "terminated with exit code (137). Reason [Error].";
        "killed-signal" Joins "HOST-1" "exit code 137", "shells, containers", "command terminated with exit code 137";
        "killed-signal" Joins "HOST-1" "exit code: 137", "containers", "    Exit Code:    137";
        "killed-signal" Joins "HOST-1" "exit status 137", "shells", "returned non-zero exit status 137.";
        "killed-signal" Joins "HOST-1" "exited with code 137", "docker compose", "trainer-1 exited with code 137";
        "killed-signal" Joins "HOST-1" "exited (137)", "docker ps", "Exited (137) 2 minutes ago";
        "killed-signal" Joins "HOST-1" "Error 137", "make", "make: *** [Makefile:12: train] Error 137";
    ],
};

/// An allocation of system memory that failed.
pub const ALLOCATION: Group = Group {
    tool: "system",
    kind: Kind::HostAlloc,
    rows: rows![
        "host-cpu-allocator" Opens "PT-13" "DefaultCPUAllocator: can't allocate memory: you tried to allocate {requested:bytes} bytes", "Linux, macOS",
            "RuntimeError: [enforce fail at alloc_cpu.cpp:73] . DefaultCPUAllocator: can't allocate memory: you tried to allocate 116813856768 bytes. Error code 12 (Cannot allocate memory)";
        "host-cpu-allocator-windows" Opens "PT-13" "DefaultCPUAllocator: not enough memory: you tried to allocate {requested:bytes} bytes", "Windows",
            "RuntimeError: [enforce fail at ..\\c10\\core\\impl\\alloc_cpu.cpp:72] data. DefaultCPUAllocator: not enough memory: you tried to allocate 151781376 bytes.";
        "host-cpu-allocator" Opens "PT-13" "you tried to allocate {requested:bytes} bytes", "cut off", "you tried to allocate 151781376 bytes.";
        "host-cpu-allocator" Opens "PT-13" "you tried to allocate {requested:size}", "0.4 to 1.4", "Buy new RAM! you tried to allocate 12 GB.";
        "host-cpu-allocator" Opens "PT-13" "you tried to reallocate {requested:size}", "Torch 7", "$ Torch: not enough memory: you tried to reallocate 36GB. Buy new RAM!";
        "host-errno" Adds "HOST-11" "Error code 12 (Cannot allocate memory)", "Linux", "Error code 12 (Cannot allocate memory)";
        "host-mmap" Opens "PT-14" "unable to mmap {requested:bytes} bytes from file", "all", "RuntimeError: unable to mmap 9976570304 bytes from file </opt/model.safetensors>: Cannot allocate memory (12)";
        "host-numpy" Joins "HOST-8" "Unable to allocate {requested:size} for an array with shape ({shape:text}) and data type {dtype:word}", "1.17 and later",
            "numpy.core._exceptions._ArrayMemoryError: Unable to allocate 273. GiB for an array with shape (191102976, 192) and data type float64";
        "host-numpy" Joins "HOST-8" "Unable to allocate {requested:size} for array with", "hand-copied", "Unable to allocate 41.2 GB for array with form (172928, 32001)";
        "host-python" Joins "HOST-8" "Unable to allocate array with shape", "numpy 1.17", "MemoryError: Unable to allocate array with shape (9681, 9681) and data type float64";
        "host-python" Joins "HOST-8" "_ArrayMemoryError", "numpy", "numpy.core._exceptions._ArrayMemoryError";
        "host-python" Joins "HOST-8" "^MemoryError$", "Python", "MemoryError";
        "host-cpp" Joins "HOST-9" "std::bad_alloc", "C++", "terminate called after throwing an instance of 'std::bad_alloc'\n  what():  std::bad_alloc";
        "host-cpp" Joins "HOST-9" "RuntimeError: bad allocation", "C++ on Windows", "RuntimeError: bad allocation";
        "host-rust" Joins "HOST-10" "memory allocation of {requested:bytes} bytes failed", "Rust", "memory allocation of 4294967296 bytes failed";
        "host-node" Joins "HOST-10" "JavaScript heap out of memory", "Node.js", "FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory";
        "host-opencl" Joins "PT-11" "OUT_OF_HOST_MEMORY", "Intel's Level Zero, OpenCL", "Native API failed. Native API returns: 38 (UR_RESULT_ERROR_OUT_OF_HOST_MEMORY)";
        "host-java" Joins "HOST-10" "os::commit_memory({_address:word}, {requested:bytes}, {_flag:int}) failed; error='Cannot allocate memory' (errno=12)", "OpenJDK",
            "OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000000c5330000, 181207040, 0) failed; error='Cannot allocate memory' (errno=12)";
        "host-java-map" Joins "HOST-10" "failed to map {requested:bytes} bytes for committing reserved memory", "OpenJDK",
            "# Native memory allocation (mmap) failed to map 181207040 bytes for committing reserved memory.";
        "host-java-runtime" Joins "HOST-10" "There is insufficient memory for the Java Runtime Environment to continue", "OpenJDK", "# There is insufficient memory for the Java Runtime Environment to continue.";
        "host-java-heap" Joins "HOST-10" "java.lang.OutOfMemoryError", "Java", "Exception in thread \"main\" java.lang.OutOfMemoryError: Java heap space";
        "host-compiler" Joins "HOST-10" "LLVM ERROR: out of memory", "LLVM", "rustc-LLVM ERROR: out of memory";
        "host-compiler" Joins "HOST-10" "fatal : Memory allocation failure", "ptxas, nvcc", "ptxas fatal   : Memory allocation failure";
        "host-compiler" Joins "HOST-10" "virtual memory exhausted", "gcc", "virtual memory exhausted: Cannot allocate memory";
        "host-compiler" Joins "HOST-10" "out of memory allocating {requested:bytes} bytes after a total of {allocated:bytes} bytes", "gcc",
            "cc1plus: out of memory allocating 65536 bytes after a total of 8589934592 bytes";
        "host-errno" Joins "HOST-11" "[Errno 12] Cannot allocate memory", "Python", "OSError: [Errno 12] Cannot allocate memory";
        "host-errno" Joins "HOST-11" "Cannot allocate memory (os error 12)", "Rust", "Error: Cannot allocate memory (os error 12)";
        "host-errno" Joins "HOST-11" "fork: Cannot allocate memory", "shells", "bash: fork: Cannot allocate memory";
    ],
};

/// Windows' commit limit. The text is translated by Windows, the number is not.
pub const PAGING: Group = Group {
    tool: "windows",
    kind: Kind::PagingFile,
    rows: rows![
        "paging-file" Joins "HOST-6" "WinError 1455", "Windows", "OSError: [WinError 1455] The paging file is too small for this operation to complete.";
        "paging-file" Joins "HOST-6" "os error 1455", "Windows, Rust", "The paging file is too small for this operation to complete. (os error 1455)";
        "paging-file" Joins "HOST-6" "The paging file is too small for this operation to complete", "Windows in English", "The paging file is too small for this operation to complete.";
        "paging-file" Joins "HOST-6" "WinError 1450", "Windows", "OSError: [WinError 1450] Insufficient system resources exist to complete the requested service";
    ],
};

/// Page-locked memory of the host, which CUDA's errors call "out of memory" too.
pub const PINNED: Group = Group {
    tool: "system",
    kind: Kind::PinnedHost,
    rows: rows![
        "pinned-tensorflow" Joins "TF-1" "could not allocate pinned host memory of size: {requested:bytes}", "TensorFlow", "could not allocate pinned host memory of size: 415990272";
        "pinned-tensorflow" Joins "TF-1" "failed to alloc {requested:bytes} bytes on host: CUDA_ERROR_OUT_OF_MEMORY", "TensorFlow", "failed to alloc 374391296 bytes on host: CUDA_ERROR_OUT_OF_MEMORY: out of memory";
        "pinned-deepspeed" Joins "DS-1" "mlock failed to allocate {requested:bytes} bytes with error no", "DeepSpeed", "mlock failed to allocate 1073741824 bytes with error no 12";
    ],
};

/// /dev/shm, through which worker processes hand over their data.
pub const SHM: Group = Group {
    tool: "system",
    kind: Kind::SharedMemory,
    rows: rows![
        "shm-worker" Joins "HOST-7" "DataLoader worker (pid {pid:int}) is killed by signal: Bus error", "PyTorch 1.0 and later",
            "RuntimeError: DataLoader worker (pid 572) is killed by signal: Bus error. It is possible that dataloader's workers are out of shared memory. Please try to raise your shared memory limit.";
        "shm-worker" Joins "HOST-7" "DataLoader worker (pid(s) {pid:int}) is killed by signal: Bus error", "PyTorch", "RuntimeError: DataLoader worker (pid(s) 572) is killed by signal: Bus error.";
        "shm-hint" Adds "HOST-7" "Please try to raise your shared memory limit", "PyTorch", "Please try to raise your shared memory limit.";
        "shm-insufficient" Joins "HOST-7" "This might be caused by insufficient shared memory (shm)", "PyTorch",
            "ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).";
        "shm-file" Joins "HOST-7" "unable to write to file </torch_", "PyTorch", "RuntimeError: unable to write to file </torch_18692_1954506624>";
        "shm-file" Joins "HOST-7" "unable to open shared memory object", "PyTorch", "RuntimeError: unable to open shared memory object </torch_18692_1954506624> in read-write mode";
        "shm-nccl" Joins "HOST-7" "Error while creating shared memory segment", "NCCL", "NCCL WARN Error while creating shared memory segment /dev/shm/nccl-X1bYQk (size 9637888)";
        "shm-full" Joins "HOST-12" "No space left on device: '/dev/shm", "Python", "OSError: [Errno 28] No space left on device: '/dev/shm/torch_18692'";
        "shm-bus" Joins "HOST-7" "Bus error (core dumped)", "shells", "Bus error (core dumped)";
    ],
};

/// A full disk, whose "device" is none of CUDA's.
pub const DISK: Group = Group {
    tool: "system",
    kind: Kind::Disk,
    rows: rows![
        "disk-full" Joins "HOST-12" "No space left on device", "all", "OSError: [Errno 28] No space left on device";
        "disk-full" Joins "HOST-12" "os error 28", "Rust", "I/O error: (os error 28)";
        "disk-full" Joins "HOST-12" "Disk quota exceeded", "all", "OSError: [Errno 122] Disk quota exceeded";
        "disk-archive" Joins "PT-14" "[enforce fail at inline_container.cc", "PyTorch", "RuntimeError: [enforce fail at inline_container.cc:298] . unexpected pos 322619584 vs 322619472";
        "disk-archive" Joins "PT-14" "PytorchStreamWriter failed writing file", "PyTorch", "RuntimeError: PytorchStreamWriter failed writing file data/12: file write failed";
    ],
};
