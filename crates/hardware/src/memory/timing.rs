//! Kinds of memory and their numbers.

use serde::{Deserialize, Serialize};

/// A kind of memory: one channel of DDR4, or one pseudo channel of HBM2. All have 64 bits of data.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Kind {
    /// DDR4-2133: 17.1 GB/s.
    #[serde(rename = "ddr4-2133")]
    Ddr4At2133,
    /// DDR4-2400: 19.2 GB/s.
    #[serde(rename = "ddr4-2400")]
    Ddr4At2400,
    /// DDR4-2666: 21.3 GB/s.
    #[serde(rename = "ddr4-2666")]
    Ddr4At2666,
    /// HBM2 at 900 MHz: 14.4 GB/s.
    #[serde(rename = "hbm2")]
    Hbm2,
}

impl Kind {
    /// All kinds, in the order of `hdl/tb/memory_kinds.h`.
    pub const ALL: [Kind; 4] = [Kind::Ddr4At2133, Kind::Ddr4At2400, Kind::Ddr4At2666, Kind::Hbm2];

    /// Returns the name in parameters, reports and benches. The [example](super) uses it.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Ddr4At2133 => "ddr4-2133",
            Kind::Ddr4At2400 => "ddr4-2400",
            Kind::Ddr4At2666 => "ddr4-2666",
            Kind::Hbm2 => "hbm2",
        }
    }

    /// Returns the numbers of this kind. The [example](super) uses it.
    pub const fn timing(self) -> Timing {
        // DDR4: JESD79-4, 8 Gb, the columns of the speed bin in its table of timing parameters, in clocks; four groups of four
        // banks and rows of 8 KiB, because 16 devices of 4 bits have rows of 512 bytes each. Refresh: 350 ns every 7.8 us.
        // Latency: a read of an open row takes 73.3 ns at the port of a U280's DDR4-2400 (Wang et al., Shuhai, FCCM 2020,
        // Table IV). 17.5 ns of these are the memory's, and the rest is the controller's.
        let ddr4 = Timing {
            clock_khz: 0,
            groups: 4,
            banks: 4,
            columns: 128,
            accesses: 1,
            burst: 4,
            cl: 0,
            cwl: 0,
            rcd: 0,
            rp: 0,
            ras: 0,
            ccd_l: 0,
            rrd_s: 4,
            rrd_l: 0,
            faw: 16,
            wtr_s: 0,
            wtr_l: 0,
            wr: 0,
            rtp: 0,
            rfc: 0,
            refi: 0,
            latency: 0,
        };
        match self {
            // Bin 2133P: 15-15-15.
            Kind::Ddr4At2133 => Timing {
                clock_khz: 1_066_667,
                cl: 15,
                cwl: 11,
                rcd: 15,
                rp: 15,
                ras: 36,
                ccd_l: 6,
                rrd_l: 6,
                wtr_s: 3,
                wtr_l: 8,
                wr: 16,
                rtp: 8,
                rfc: 374,
                refi: 8320,
                latency: 60,
                ..ddr4
            },
            // Bin 2400T: 17-17-17.
            Kind::Ddr4At2400 => Timing {
                clock_khz: 1_200_000,
                cl: 17,
                cwl: 12,
                rcd: 17,
                rp: 17,
                ras: 39,
                ccd_l: 6,
                rrd_l: 6,
                wtr_s: 3,
                wtr_l: 9,
                wr: 18,
                rtp: 9,
                rfc: 420,
                refi: 9360,
                latency: 67,
                ..ddr4
            },
            // Bin 2666V: 19-19-19.
            Kind::Ddr4At2666 => Timing {
                clock_khz: 1_333_333,
                cl: 19,
                cwl: 14,
                rcd: 19,
                rp: 19,
                ras: 43,
                ccd_l: 7,
                rrd_l: 7,
                wtr_s: 4,
                wtr_l: 10,
                wr: 20,
                rtp: 10,
                rfc: 467,
                refi: 10400,
                latency: 75,
                ..ddr4
            },
            // A pseudo channel of JESD235: bursts of four are 32 bytes, rows of 1 KiB, four groups of four banks, refresh
            // every 3.9 us. 900 MHz: 460 GB/s of 32 pseudo channels (DS963, U280; DS978, U55C). JESD235 leaves the times to
            // the vendor; these are the nanoseconds of DRAMsim3's HBM2_8Gb_x128.ini, rounded up to clocks of 900 MHz. Columns
            // follow each other after a burst, and after two bursts in the same group. Latency: as above, 106.7 ns for HBM.
            Kind::Hbm2 => Timing {
                clock_khz: 900_000,
                columns: 32,
                accesses: 2,
                burst: 2,
                cl: 13,
                cwl: 4,
                rcd: 13,
                rp: 13,
                ras: 31,
                ccd_l: 4,
                rrd_s: 4,
                rrd_l: 6,
                faw: 27,
                wtr_s: 6,
                wtr_l: 8,
                wr: 15,
                rtp: 6,
                rfc: 234,
                refi: 3510,
                latency: 79,
                ..ddr4
            },
        }
    }
}

/// The numbers of a kind of memory. Times are in clocks of the memory, between commands on its bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// The clock in kHz; data have two edges.
    pub clock_khz: u32,
    /// Number of bank groups.
    pub groups: u32,
    /// Number of banks in a group.
    pub banks: u32,
    /// Number of accesses in a row of a bank.
    pub columns: u32,
    /// Number of accesses for 512 bits.
    pub accesses: u32,
    /// Clocks of data of an access, and the least time between accesses in different groups (tCCD_S).
    pub burst: u32,
    /// From a read to its data (CL).
    pub cl: u32,
    /// From a write to its data (CWL).
    pub cwl: u32,
    /// From an activation to an access (tRCD).
    pub rcd: u32,
    /// From a precharge to an activation (tRP).
    pub rp: u32,
    /// From an activation to a precharge (tRAS).
    pub ras: u32,
    /// Between accesses in the same group (tCCD_L).
    pub ccd_l: u32,
    /// Between activations in different groups (tRRD_S).
    pub rrd_s: u32,
    /// Between activations in the same group (tRRD_L).
    pub rrd_l: u32,
    /// For four activations (tFAW).
    pub faw: u32,
    /// From the end of written data to a read in another group (tWTR_S).
    pub wtr_s: u32,
    /// From the end of written data to a read in the same group (tWTR_L).
    pub wtr_l: u32,
    /// From the end of written data to a precharge (tWR).
    pub wr: u32,
    /// From a read to a precharge (tRTP).
    pub rtp: u32,
    /// For a refresh of all banks (tRFC).
    pub rfc: u32,
    /// Between refreshes (tREFI).
    pub refi: u32,
    /// From the end of read data until the port offers it: the controller's part of the latency.
    pub latency: u32,
}

impl Timing {
    /// Returns all numbers in the order of the fields, for the same model in C++. The [example](super) uses it.
    pub const fn numbers(&self) -> [u32; 22] {
        [
            self.clock_khz,
            self.groups,
            self.banks,
            self.columns,
            self.accesses,
            self.burst,
            self.cl,
            self.cwl,
            self.rcd,
            self.rp,
            self.ras,
            self.ccd_l,
            self.rrd_s,
            self.rrd_l,
            self.faw,
            self.wtr_s,
            self.wtr_l,
            self.wr,
            self.rtp,
            self.rfc,
            self.refi,
            self.latency,
        ]
    }

    /// Returns the bytes a second of the pins, in 10^9. The [example](super) uses it.
    pub fn peak_gigabytes(&self) -> f64 {
        let beats = f64::from(self.clock_khz) / f64::from(self.burst * self.accesses);
        beats * 64.0 * 1e-6
    }
}
