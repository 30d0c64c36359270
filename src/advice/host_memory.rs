//! The computer's own resources: RAM, the paging file, page-locked memory, /dev/shm, disks. No change on the GPU helps.

use super::{Fix, Job, Place, Program};
use crate::message::Message;
use crate::units::{Bytes, GIB};

/// A limit of a container, a scheduler or a service: the rows that tell of it, the fix, and its line.
struct Limit {
    rows: &'static [&'static str],
    id: &'static str,
    text: &'static str,
    command: fn(i64) -> String,
}

/// The command has the whole GiB that are needed at least.
const LIMITS: [Limit; 6] = [
    Limit {
        rows: &["killed-slurm", "killed-slurm-task", "killed-slurm-limit"],
        id: "slurm-memory",
        text: "fix-slurm-memory",
        command: |gib| format!("#SBATCH --mem={gib}G"),
    },
    Limit {
        rows: &["killed-kubernetes"],
        id: "pod-memory",
        text: "fix-pod-memory",
        command: |gib| format!("resources:\n  limits:\n    memory: {gib}Gi"),
    },
    Limit {
        rows: &["killed-cgroup", "killed-cgroup-constraint", "killed-cgroup-limit"],
        id: "container-memory",
        text: "fix-container-memory",
        command: |gib| format!("docker run --memory={gib}g …"),
    },
    Limit {
        rows: &["killed-systemd"],
        id: "service-memory",
        text: "fix-service-memory",
        command: |gib| format!("systemctl edit SERVICE\n[Service]\nMemoryMax={gib}G"),
    },
    Limit {
        rows: &["killed-build", "host-compiler"],
        id: "fewer-compilers",
        text: "fix-fewer-compilers",
        command: |_| "MAX_JOBS=2 pip install flash-attn --no-build-isolation".to_owned(),
    },
    Limit {
        rows: &["host-node"],
        id: "node-heap",
        text: "fix-node-heap",
        command: |gib| format!("export NODE_OPTIONS=--max-old-space-size={}", gib.saturating_mul(1024)),
    },
];

/// The whole GiB that a limit must have at least: half as much again as was held or allowed, 32 where nothing is told.
fn needed(job: &Job) -> i64 {
    let Some(finding) = job.finding else { return 32 };
    let held = finding
        .bytes("limit")
        .or(finding.bytes("anon_rss"))
        .or(finding.bytes("requested"));
    held.map_or(32, |held| (held.share(3, 2).0 / GIB).saturating_add(1))
        .max(2)
}

fn tells_need(job: &Job) -> bool {
    let tells = |name| job.finding.is_some_and(|finding| finding.bytes(name).is_some());
    tells("limit") || tells("anon_rss") || tells("requested")
}

/// More RAM, or less need of it.
pub fn ram(job: &Job) -> Vec<Box<Fix>> {
    let gib = needed(job);
    let has = |row: &str| job.has(row);
    let mut fixes = Vec::new();
    if let Some(limit) = LIMITS.iter().find(|limit| limit.rows.iter().any(|row| has(row))) {
        let text = Message::new(limit.text);
        let fix = Fix::new(limit.id, "host-resource", text);
        fixes.push(match limit.id {
            // Nothing tells how much it had: Slurm does, of the step that it killed.
            "slurm-memory" if !tells_need(job) => {
                fix.command(Place::Shell, "sacct -j JOBID --format=JobID,ReqMem,MaxRSS,State")
            }
            "slurm-memory" => fix.command(Place::BatchScript, &(limit.command)(gib)),
            _ => fix.command(Place::Shell, &(limit.command)(gib)),
        });
    }
    if has("host-java") || has("host-java-map") || has("host-java-runtime") || has("host-java-heap") {
        let text = Message::new(if has("host-java-heap") {
            "fix-java-heap"
        } else {
            "fix-java-memory"
        });
        fixes.push(Fix::new("java-memory", "host-resource", text).command(Place::Shell, "java -Xmx2g -jar APP.jar"));
        return fixes;
    }
    let requested = job.finding.and_then(|finding| finding.bytes("requested"));
    if let Some(requested) = requested.filter(|requested| *requested >= Bytes(64 * GIB)) {
        let text = Message::new("fix-host-less").with("requested", requested);
        fixes.push(Fix::new("host-less", "reduce-work", text));
    }
    if has("host-cpu-allocator-windows") || job.windows {
        fixes.push(paging_file());
    }
    if (has("killed-signal") || has("killed-worker-exit")) && fixes.is_empty() {
        let text = Message::new("fix-confirm-killed");
        fixes.push(
            Fix::new("more-ram", "host-resource", Message::new("fix-more-ram"))
                .command(Place::Shell, "sudo fallocate -l 32G /swapfile && sudo chmod 600 /swapfile\nsudo mkswap /swapfile && sudo swapon /swapfile"),
        );
        fixes.push(Fix::new("confirm-killed", "ask-for-more", text).command(
            Place::Shell,
            "sudo dmesg -T | grep -iE 'out of memory|oom-kill|killed process'",
        ));
    }
    if fixes.is_empty() {
        let text = match requested {
            Some(requested) => Message::new("fix-more-ram-size").with("requested", requested),
            None => Message::new("fix-more-ram"),
        };
        fixes.push(Fix::new("more-ram", "host-resource", text).command(Place::Shell, "free -h"));
    }
    if has("killed-worker") || has("killed-worker-exit") || job.program == Program::Training {
        fixes.push(fewer_workers());
    }
    let limited = fixes
        .first()
        .is_some_and(|fix| LIMITS.iter().any(|limit| limit.id == fix.id));
    if (has("killed-signal") && !limited) || has("host-mmap") || has("host-cpu-allocator") {
        fixes.push(
            Fix::new("load-lean", "engine-setting", Message::new("fix-load-lean")).command(
                Place::Python,
                "model = AutoModelForCausalLM.from_pretrained(name, dtype=\"auto\", low_cpu_mem_usage=True)",
            ),
        );
    }
    fixes
}

fn fewer_workers() -> Box<Fix> {
    Fix::new("fewer-workers", "reduce-work", Message::new("fix-fewer-workers"))
        .command(Place::Python, "DataLoader(dataset, num_workers=2)")
}

fn paging_file() -> Box<Fix> {
    Fix::new("paging-file", "host-resource", Message::new("fix-paging-file"))
        .because(Message::new("why-paging-file"))
        .command(Place::PowerShell, "SystemPropertiesPerformance.exe")
}

/// A larger paging file.
pub fn paging() -> Vec<Box<Fix>> {
    vec![
        paging_file(),
        Fix::new("close-host", "free-other", Message::new("fix-close-host")),
    ]
}

/// Page-locked memory: WSL keeps it small.
pub fn pinned() -> Vec<Box<Fix>> {
    vec![
        Fix::new("wsl-memory", "host-resource", Message::new("fix-wsl-memory")).command(
            Place::PowerShell,
            "notepad $env:USERPROFILE\\.wslconfig\n[wsl2]\nmemory=24GB",
        ),
        Fix::new("host-buffers", "reduce-work", Message::new("fix-host-buffers")),
    ]
}

/// A larger /dev/shm, or fewer that use it.
pub fn shared_memory(job: &Job) -> Vec<Box<Fix>> {
    let mut fixes = vec![
        Fix::new("shm-size", "host-resource", Message::new("fix-shm-size"))
            .because(Message::new("why-shm-size"))
            .command(Place::Shell, "docker run --shm-size=16g …")
            .command(Place::Shell, "df -h /dev/shm\nsudo mount -o remount,size=16G /dev/shm"),
    ];
    if !job.has("shm-nccl") {
        fixes.push(
            Fix::new("no-workers", "reduce-work", Message::new("fix-no-workers"))
                .command(Place::Python, "DataLoader(dataset, num_workers=0)"),
        );
    }
    fixes
}

/// Room on the disk.
pub fn disk() -> Vec<Box<Fix>> {
    vec![
        Fix::new("free-disk", "host-resource", Message::new("fix-free-disk"))
            .command(Place::Shell, "df -h\ndu -sh ~/.cache/* | sort -h | tail"),
        Fix::new(
            "fewer-checkpoints",
            "host-resource",
            Message::new("fix-fewer-checkpoints"),
        )
        .command(Place::Python, "TrainingArguments(save_total_limit=2)"),
    ]
}

/// An index outside its table.
pub fn index_error() -> Vec<Box<Fix>> {
    vec![
        Fix::new("find-index", "fix-code", Message::new("fix-find-index"))
            .command(Place::Shell, "CUDA_LAUNCH_BLOCKING=1 python SCRIPT.py"),
    ]
}

/// A kernel that reads where it must not.
pub fn kernel_bug() -> Vec<Box<Fix>> {
    vec![
        Fix::new("find-kernel", "fix-code", Message::new("fix-find-kernel"))
            .command(Place::Shell, "CUDA_LAUNCH_BLOCKING=1 python SCRIPT.py"),
        Fix::new("update-kernels", "update-tool", Message::new("fix-update-kernels")),
    ]
}

/// An error that has nothing to do with memory, where CUDA names it.
pub fn other_fault(job: &Job) -> Option<Vec<Box<Fix>>> {
    let (text, command) = if job.has("fault-ordinal") {
        ("fix-fault-ordinal", "nvidia-smi -L\necho $CUDA_VISIBLE_DEVICES")
    } else if job.has("fault-build") {
        (
            "fix-fault-build",
            "python -c \"import torch; print(torch.version.cuda, torch.cuda.get_arch_list())\"",
        )
    } else if job.has("fault-driver") {
        ("fix-fault-driver", "nvidia-smi")
    } else if job.has("fault-ecc") {
        ("fix-fault-ecc", "nvidia-smi -q -d ECC")
    } else {
        return None;
    };
    Some(vec![
        Fix::new("fault", "fix-code", Message::new(text)).command(Place::Shell, command),
    ])
}
