//! What the advice needs to know of a failed job: its amounts, its tool, its system.

use crate::catalog;
use crate::diagnosis::{Amounts, Corrections, Diagnosis, own_processes};
use crate::paste::{Evidence, Finding, Kind, Span};
use crate::scenario::{Scenario, Task};
use crate::units::Bytes;

/// What kind of program it was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Program {
    /// A training run.
    Training,
    /// ComfyUI.
    ComfyUi,
    /// AUTOMATIC1111 or Forge.
    WebUi,
    /// diffusers.
    Diffusers,
    /// vLLM.
    Vllm,
    /// Text generation with transformers.
    Generate,
    /// Not told.
    Unknown,
}

/// The failed job.
#[derive(Clone, Debug)]
pub struct Job<'a> {
    /// All that the text says.
    pub evidence: &'a Evidence,
    /// The finding that matters.
    pub finding: Option<&'a Finding>,
    /// Its amounts.
    pub amounts: Amounts,
    /// The program.
    pub program: Program,
    /// Whether it ran on Windows.
    pub windows: bool,
    /// Whether it ran in a notebook.
    pub notebook: bool,
    /// Whether the card's memory is the computer's own.
    pub unified: bool,
    /// The pids of processes that are not the job.
    pub others: Vec<(i64, Option<Bytes>)>,
    /// What the text tells about the job.
    pub scenario: &'a Scenario,
    told: &'a [(&'static str, Span)],
}

/// The programs by the hints that give them away, the most telling first.
const PROGRAMS: [(&str, Program); 6] = [
    ("job-comfyui", Program::ComfyUi),
    ("job-webui", Program::WebUi),
    ("job-vllm", Program::Vllm),
    ("job-training", Program::Training),
    ("job-diffusers", Program::Diffusers),
    ("job-generate", Program::Generate),
];

impl<'a> Job<'a> {
    /// The job of a diagnosis.
    pub fn of(evidence: &'a Evidence, diagnosis: &'a Diagnosis, corrections: &Corrections) -> Job<'a> {
        let finding = diagnosis.primary.and_then(|number| evidence.findings.get(number));
        let own = finding
            .map(|finding| own_processes(finding, corrections))
            .unwrap_or_default();
        let mut others = finding.map_or(Vec::new(), |finding| {
            let processes = finding
                .processes
                .iter()
                .zip(&own)
                .filter(|(_, own)| **own != Some(true));
            processes
                .filter_map(|(process, _)| Some((process.pid?, process.bytes)))
                .collect()
        });
        if others.is_empty() {
            others = listed(evidence, finding);
        }
        let program = PROGRAMS
            .iter()
            .find(|(hint, _)| evidence.hints_at(hint))
            .map(|found| found.1);
        let vllm = evidence.findings.iter().any(|finding| finding.tool == "vllm");
        let trains = diagnosis.scenario.task == Task::Train
            || evidence
                .findings
                .iter()
                .any(|finding| finding.kind == Kind::TrainingLog);
        let program = match program {
            Some(program) => program,
            None if vllm => Program::Vllm,
            None if trains => Program::Training,
            None => Program::Unknown,
        };
        Job {
            evidence,
            finding,
            amounts: finding.map(|finding| Amounts::of(finding, &own)).unwrap_or_default(),
            program,
            windows: evidence.hints_at("os-windows"),
            notebook: evidence.hints_at("job-notebook"),
            unified: diagnosis
                .card
                .id
                .and_then(catalog::card)
                .is_some_and(|card| card.unified)
                || finding.is_some_and(|finding| {
                    finding.kind == Kind::MpsOom || finding.has("smi-unified") || finding.has("driver-jetson")
                }),
            others,
            scenario: &diagnosis.scenario,
            told: &diagnosis.told_at,
        }
    }

    /// Whether weights were on their way to the card: less work would not help there.
    pub fn loads(&self) -> bool {
        self.evidence.hints_at("load-weights") && !self.steps()
    }

    /// Whether the optimiser made its states.
    pub fn steps(&self) -> bool {
        self.evidence.hints_at("optimizer-step")
    }

    /// Whether the text shows one card and no other.
    pub fn one_card(&self) -> bool {
        let table = |finding: &Finding| finding.kind == Kind::Monitor && finding.cards.len() == 1;
        self.evidence.hints_at("one-card") || self.evidence.findings.iter().any(table)
    }

    /// Whether the text tells what this key of a link stands for.
    pub fn tells(&self, key: &str) -> bool {
        self.told.iter().any(|(told, _)| *told == key)
    }

    /// What kind of finding it is.
    pub fn kind(&self) -> Option<Kind> {
        self.finding.map(|finding| finding.kind)
    }

    /// Whether a row of this id was read.
    pub fn has(&self, row: &str) -> bool {
        self.finding.is_some_and(|finding| finding.has(row))
    }

    /// The message's generation.
    pub fn format(&self) -> &'static str {
        self.finding.map_or("", |finding| finding.format)
    }

    /// Whether it is an NVIDIA card: the message of PyTorch's CUDA build.
    pub fn is_cuda(&self) -> bool {
        ![
            "torch-oom-hip",
            "driver-xpu",
            "library-resources",
            "torch-oom-xpu",
            "torch-oom-dpcpp",
            "torch-oom-npu",
            "torch-oom-musa",
            "bare-hip",
        ]
        .iter()
        .any(|row| self.has(row))
            && self.kind() != Some(Kind::MpsOom)
    }

    /// The command that shows who holds how much of this vendor's card.
    pub fn monitor(&self) -> &'static str {
        const TOOLS: [(&[&str], &str); 4] = [
            (&["torch-oom-npu"], "npu-smi info"),
            (&["torch-oom-musa"], "mthreads-gmi"),
            (
                &[
                    "torch-oom-xpu",
                    "torch-oom-dpcpp",
                    "driver-xpu",
                    "library-resources",
                    "block-xpu",
                ],
                "xpu-smi stats -d 0\nxpu-smi ps",
            ),
            (
                &[
                    "torch-oom-hip",
                    "bare-hip",
                    "bare-hip-code",
                    "amd-memory",
                    "amd-monitor",
                    "rocm-json",
                    "rocm-used",
                    "rocm-percent",
                ],
                "rocm-smi --showpids --showmeminfo vram",
            ),
        ];
        TOOLS
            .iter()
            .find(|(rows, _)| rows.iter().any(|row| self.has(row)))
            .map_or("nvidia-smi", |(_, command)| command)
    }

    /// Whether the request fits once `freed` more is free; `None` where the text does not tell.
    pub fn fits_with(&self, freed: Bytes) -> Option<bool> {
        Some(self.amounts.free? + freed >= self.amounts.requested?)
    }

    /// Whether the request fits when something between `low` and `high` is freed; `None` when that depends.
    pub fn fits_between(&self, low: Bytes, high: Bytes) -> Option<bool> {
        match (self.fits_with(low)?, self.fits_with(high)?) {
            (true, true) => Some(true),
            (false, false) => Some(false),
            _ => None,
        }
    }
}

/// The processes of a monitor's table beside the failure, without one that may be the job itself.
fn listed(evidence: &Evidence, finding: Option<&Finding>) -> Vec<(i64, Option<Bytes>)> {
    let held = finding
        .and_then(|finding| finding.bytes("allocated"))
        .unwrap_or_default();
    let tables = evidence.findings.iter().filter(|finding| finding.kind == Kind::Monitor);
    let processes = tables.flat_map(|table| &table.processes);
    let named = processes.filter_map(|process| Some((process.pid?, process.bytes)));
    named
        .filter(|(_, bytes)| bytes.is_none_or(|bytes| (bytes - held).0.unsigned_abs() > (1 << 30) || held.0 < 1 << 30))
        .collect()
}
