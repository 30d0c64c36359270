//! How the card was filled when the request failed: the parts of its capacity, from the figures of one finding.

use super::Corrections;
use crate::paste::{Finding, Kind};
use crate::units::{Bytes, GIB, MIB};

/// A part of the card; its name is the message `part-{id}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// `allocated`, `reserved`, `own-outside`, `others`, `unaccounted`, `untold` or `free`.
    pub id: &'static str,
    /// Its size.
    pub bytes: Bytes,
}

/// The card, filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Its capacity as the tool counts it.
    pub total: Bytes,
    /// The parts, from the bottom up; those of no size are left out.
    pub parts: Vec<Part>,
    /// The request that failed.
    pub requested: Option<Bytes>,
    /// Whether the parts add up to more than the capacity: Windows lets programs spill into system memory.
    pub spilled: Bytes,
}

/// The place of what nobody is named for among the parts of a picture.
const UNACCOUNTED: usize = 5;

/// The amounts that an out-of-memory message of PyTorch gives, and what follows from them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Amounts {
    /// The request that failed.
    pub requested: Option<Bytes>,
    /// The capacity that the tool sees, or the limit that it keeps to.
    pub total: Option<Bytes>,
    /// What is free on the card; an upper bound where the message has no such figure.
    pub free: Option<Bytes>,
    /// Whether `free` is such an upper bound.
    pub free_inferred: bool,
    /// Whether the message breaks off before what was free: then nothing tells it.
    pub cut: bool,
    /// Live tensors.
    pub allocated: Option<Bytes>,
    /// Held by the allocator, but not in use.
    pub reserved: Bytes,
    /// This process, outside the allocator (CUDA context, libraries).
    pub own_outside: Bytes,
    /// Other processes.
    pub others: Bytes,
    /// Metal memory outside PyTorch's heap, on Apple's chips.
    pub metal: Bytes,
    /// Used by nobody that the message names.
    pub unaccounted: Bytes,
    /// A limit that the user or the tool set.
    pub allowed: Option<Bytes>,
}

impl Amounts {
    /// Reads the amounts of a finding; `own[i]` tells whether its process `i` is the job itself.
    pub fn of(finding: &Finding, own: &[Option<bool>]) -> Amounts {
        if let Some(allocated) = finding.bytes("mps_allocated") {
            return Amounts::of_metal(finding, allocated);
        }
        let allocated = finding.bytes("allocated");
        let reserved = finding
            .bytes("reserved_unallocated")
            .or_else(|| Some(finding.bytes("reserved")? - allocated?))
            .or_else(|| finding.bytes("cached"))
            .unwrap_or_default()
            .floor_zero();
        let mut amounts = Amounts {
            requested: finding.bytes("requested"),
            total: finding.bytes("total"),
            free: finding.bytes("free"),
            allocated,
            reserved,
            allowed: finding.bytes("allowed"),
            ..Amounts::default()
        };
        let held = allocated.unwrap_or_default() + reserved;
        let of = |mine: bool| -> Bytes {
            let processes = finding.processes.iter().zip(own);
            processes
                .filter(|(_, own)| (**own == Some(true)) == mine)
                .filter_map(|(process, _)| process.bytes)
                .sum()
        };
        amounts.others = of(false);
        let this = finding.bytes("this_process").unwrap_or_default() + of(true);
        amounts.own_outside = (this - held).floor_zero();
        amounts.cut = breaks_off_before(finding) == Some("free");
        if let (Some(total), None, false) = (amounts.total, amounts.free, amounts.cut) {
            amounts.free = Some((total - held - amounts.own_outside - amounts.others).floor_zero());
            amounts.free_inferred = true;
        }
        if let (Some(total), Some(free), true) =
            (amounts.total, amounts.free, this > Bytes::ZERO || allocated.is_some())
        {
            let told = held + amounts.own_outside + amounts.others;
            // Printed figures are good to 5 MiB each; the rest is rounding, not a holder.
            let rest = total - free - told;
            amounts.unaccounted = if rest > Bytes::mib(24) { rest } else { Bytes::ZERO };
        }
        amounts
    }

    /// The amounts of Apple's Metal: what is free under the limit follows from the rest.
    fn of_metal(finding: &Finding, allocated: Bytes) -> Amounts {
        let limit = finding.bytes("max_allowed");
        let others = finding.bytes("other_allocations").unwrap_or_default();
        Amounts {
            requested: finding.bytes("requested"),
            total: limit,
            free: limit.map(|limit| (limit - allocated - others).floor_zero()),
            free_inferred: true,
            allocated: Some(allocated),
            metal: others,
            ..Amounts::default()
        }
    }

    /// Whether the card was as good as full for the request: what was free beside it is within what the allocator rounds
    /// up to and what a card never gives away.
    pub fn is_short(&self, requested: Bytes) -> bool {
        let margin = self.total.unwrap_or_default().share(1, 100);
        self.free
            .is_some_and(|free| free < requested + margin.max(Bytes::mib(24)))
    }

    /// What the request lacks on paper: request minus free.
    pub fn missing(&self) -> Option<Bytes> {
        let (requested, free) = (self.requested?, self.free?);
        let missing = requested - free;
        // Figures in GiB are printed to hundredths: their difference is no better.
        let hundredths = (missing + Bytes(GIB / 200)).share(100, GIB).0;
        let told = if requested.0 >= GIB || free.0 >= GIB {
            Bytes(hundredths.saturating_mul(GIB).saturating_add(50) / 100)
        } else {
            missing
        };
        (missing > Bytes::ZERO).then_some(told)
    }

    /// The card with its parts; `None` where the capacity is not known.
    pub fn picture(&self) -> Option<Picture> {
        let total = self.total.filter(|total| *total > Bytes::ZERO)?;
        let all = [
            Part {
                id: "allocated",
                bytes: self.allocated.unwrap_or_default(),
            },
            Part {
                id: "reserved",
                bytes: self.reserved,
            },
            Part {
                id: "own-outside",
                bytes: self.own_outside,
            },
            Part {
                id: "others",
                bytes: self.others,
            },
            Part {
                id: "metal",
                bytes: self.metal,
            },
            Part {
                id: "unaccounted",
                bytes: self.unaccounted,
            },
            Part {
                id: "free",
                bytes: self.free.unwrap_or_default(),
            },
        ];
        let mut all = all;
        let told: Bytes = all.iter().map(|part| part.bytes).sum();
        // Where the message says what is free and not who holds the rest, the rest is drawn as nobody's.
        if self.free.is_some() && !self.free_inferred && total - told > Bytes::mib(24) {
            all[UNACCOUNTED].bytes += total - told;
        }
        let mut parts: Vec<Part> = all.into_iter().filter(|part| part.bytes > Bytes::ZERO).collect();
        if self.cut && told < total {
            // Nobody tells whether the rest was free: without any part there is nothing to draw.
            if parts.is_empty() {
                return None;
            }
            parts.push(Part {
                id: "untold",
                bytes: total - told,
            });
        }
        let sum: Bytes = parts.iter().map(|part| part.bytes).sum();
        let over = sum - total;
        let spilled = if over > Bytes::mib(64) { over } else { Bytes::ZERO };
        Some(Picture {
            total,
            parts,
            // Where it would have begun is not told either.
            requested: self.requested.filter(|_| !self.cut),
            spilled,
        })
    }
}

/// The first figure that a message of PyTorch's allocator has not, though every version prints it: it was cut off before
/// that one. Versions that do not print what is free go on with the reserve.
pub fn breaks_off_before(finding: &Finding) -> Option<&'static str> {
    let told = |name: &str| finding.figures.iter().any(|figure| figure.name == name);
    let reserve = ["reserved_unallocated", "reserved", "cached"];
    let reserve = reserve.into_iter().any(told);
    match finding.kind {
        Kind::TorchOom if reserve || !told("requested") => None,
        Kind::TorchOom => Some(match (told("free"), told("allocated")) {
            (false, _) => "free",
            (_, false) => "allocated",
            _ => "reserved",
        }),
        Kind::AsyncOom if told("requested") && !told("free") => Some("free"),
        _ => None,
    }
}

/// Which processes of a finding are the job itself: what the reader said, else what the figures prove.
///
/// In a container the message cannot tell which process is its own, and lists the job as `Process N`. It is the job's
/// own when the job's allocated and reserved memory would not fit on the card beside that process. Where the message
/// names this process apart, the others are others.
pub fn own_processes(finding: &Finding, corrections: &Corrections) -> Vec<Option<bool>> {
    let said = |pid: Option<i64>| {
        corrections
            .own
            .iter()
            .find(|(number, _)| Some(*number) == pid)
            .map(|(_, own)| *own)
    };
    let mut own: Vec<Option<bool>> = finding.processes.iter().map(|process| said(process.pid)).collect();
    if finding.bytes("this_process").is_some() {
        return own.into_iter().map(|own| own.or(Some(false))).collect();
    }
    let held =
        finding.bytes("allocated").unwrap_or_default() + finding.bytes("reserved_unallocated").unwrap_or_default();
    let (Some(total), Some(free)) = (finding.bytes("total"), finding.bytes("free")) else {
        return own;
    };
    if own.contains(&Some(true)) || held < Bytes::mib(64) {
        return own;
    }
    let bytes = |at: usize| finding.processes[at].bytes.unwrap_or_default();
    let all: Bytes = (0..own.len()).map(bytes).sum();
    let room = total - free - all;
    if held > room + Bytes(256 * MIB) {
        // The job is in the list: the smallest process that can hold it.
        let fits = |at: &usize| own[*at].is_none() && bytes(*at) + Bytes(64 * MIB) >= held;
        if let Some(job) = (0..own.len()).filter(fits).min_by_key(|at| bytes(*at)) {
            own[job] = Some(true);
            for other in own.iter_mut().filter(|other| other.is_none()) {
                *other = Some(false);
            }
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnosis::diagnose;
    use crate::paste::read;

    fn parts(text: &str) -> Vec<(&'static str, Bytes)> {
        let picture = diagnose(&read(text), &Corrections::default()).picture.unwrap();
        picture.parts.iter().map(|part| (part.id, part.bytes)).collect()
    }

    #[test]
    fn what_nobody_is_named_for_fills_the_card_up_to_what_is_free() {
        let text = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of \
            20.00 GiB of which 1.00 GiB is free.";
        assert_eq!(parts(text), [("unaccounted", Bytes::gib(19)), ("free", Bytes::gib(1))]);
        let all = [text, " Of the allocated memory 18.00 GiB is allocated by PyTorch, and 1.00 GiB is reserved by PyTorch but unallocated."].concat();
        assert_eq!(
            parts(&all),
            [
                ("allocated", Bytes::gib(18)),
                ("reserved", Bytes::gib(1)),
                ("free", Bytes::gib(1))
            ]
        );
    }
}
