//! `id-ns`: the Identify Namespace data structure of the NVM command set, and
//! `ns-descs`: the list of a namespace's identifiers.

use passthru::nvme::{
    Malformed,
    identify::{NamespaceData, NamespaceIdentifier, NamespaceIdentifiers},
};

use crate::{
    meaning::{bytes, flags, yes},
    value::{Fields, Row, Value, bits, explained, field, hex, id, num, read},
};

type Data = NamespaceData;

fn blocks(count: Option<u32>) -> String {
    count.map_or("as the controller's".to_owned(), |count| {
        format!("{count} blocks")
    })
}

fn maybe(count: Option<impl Into<u64>>) -> String {
    count.map_or("not reported".to_owned(), |count| {
        format!("{} blocks", count.into())
    })
}

/// The size in bytes, if the block length is known.
fn size(data: &Data, blocks: u64) -> String {
    let length = data.format().map_or(0, |format| format.block_length());
    bytes(u128::from(blocks) * u128::from(length))
}

pub(crate) static ROWS: &[Row<Data>] = &[
    num("nsze", 0, 8, "size in blocks").means(|n| size(n, n.size())),
    num("ncap", 8, 8, "capacity in blocks").means(|n| size(n, n.capacity())),
    num("nuse", 16, 8, "blocks in use").means(|n| size(n, n.utilization())),
    bits("nsfeat", 24, 1, "features").means(|n| flags(&n.features())),
    num("nlbaf", 25, 1, "LBA formats, counted from 0"),
    bits("flbas", 26, 1, "formatted by").means(|n| format!("LBA format {}", n.format_index())),
    bits("mc", 27, 1, "metadata").means(|n| flags(&n.metadata())),
    bits("dpc", 28, 1, "protection it can have").means(|n| flags(&n.protection_capabilities())),
    bits("dps", 29, 1, "protection it has").means(|n| match n.protection_type() {
        0 => "none".to_owned(),
        kind if n.protection_first() => format!("type {kind}, first in the metadata"),
        kind => format!("type {kind}, last in the metadata"),
    }),
    bits("nmic", 30, 1, "sharing").means(|n| flags(&n.sharing())),
    bits("rescap", 31, 1, "reservations").means(|n| flags(&n.reservations())),
    bits("fpi", 32, 1, "format progress").means(|n| match n.format_remaining() {
        Some(percent) => format!("{percent} % left"),
        None => "not reported".to_owned(),
    }),
    bits("dlfeat", 33, 1, "write zeroes deallocates").means(|n| yes(n.write_zeroes_deallocates())),
    num("nawun", 34, 2, "atomic write").means(|n| blocks(n.atomic_write_normal())),
    num("nawupf", 36, 2, "atomic at power failure").means(|n| blocks(n.atomic_write_power_fail())),
    num("nacwu", 38, 2, "atomic compare and write").means(|n| blocks(n.atomic_compare_write())),
    num("nabsn", 40, 2, "atomic boundary").means(|n| maybe(n.atomic_boundary_normal())),
    num("nabo", 42, 2, "where the first boundary is"),
    num("nabspf", 44, 2, "atomic boundary at power failure")
        .means(|n| maybe(n.atomic_boundary_power_fail())),
    num("noiob", 46, 2, "boundary not to cross").means(|n| maybe(n.optimal_boundary())),
    num("nvmcap", 48, 16, "capacity").means(|n| bytes(n.nvm_capacity())),
    num("npwg", 64, 2, "write granularity").means(|n| maybe(n.write_granularity())),
    num("npwa", 66, 2, "write alignment").means(|n| maybe(n.write_alignment())),
    num("npdg", 68, 2, "deallocate granularity").means(|n| maybe(n.deallocate_granularity())),
    num("npda", 70, 2, "deallocate alignment").means(|n| maybe(n.deallocate_alignment())),
    num("nows", 72, 2, "optimal write").means(|n| maybe(n.optimal_write_size())),
    num("mssrl", 74, 2, "longest range of a copy, in blocks"),
    num("mcl", 76, 4, "longest copy, in blocks"),
    num("msrc", 80, 1, "most ranges of a copy").means(|n| n.copy_ranges_maximum().to_string()),
    bits("kpios", 81, 1, "key per I/O"),
    num("nulbaf", 82, 1, "LBA formats with attributes of their own"),
    num("kpiodaag", 84, 4, "key per I/O granularity, counted from 0"),
    num("anagrpid", 92, 4, "ANA group"),
    bits("nsattr", 99, 1, "write protected").means(|n| yes(n.is_write_protected())),
    num("nvmsetid", 100, 2, "NVM set"),
    num("endgid", 102, 2, "endurance group"),
    id("nguid", 104, 16, "globally unique identifier"),
    id("eui64", 120, 8, "IEEE extended unique identifier"),
];

/// The fields of Identify Namespace.
pub(crate) fn fields(reply: &[u8], for_people: bool) -> Result<Fields, Malformed> {
    let data = NamespaceData::parse(reply)?;
    let mut fields = read(ROWS, reply, &data, for_people);
    let formats = data.formats().map(|format| {
        let used = format.index() == data.format_index();
        let length = match format.block_length() {
            Some(length) if for_people => format!("data: {length} bytes"),
            _ => "data, a power of 2".to_owned(),
        };
        // The exponent, which the view gives as the length that it means.
        let exponent = reply.get(128 + 4 * usize::from(format.index()) + 2);
        Value::Object(vec![
            field("lbaf", format.index()),
            explained("ms", format.metadata_size(), "metadata, bytes"),
            explained("ds", Value::or_null(exponent.copied()), length),
            explained(
                "rp",
                format.relative_performance(),
                "performance, 0 the best",
            ),
            explained("in_use", u8::from(used), if used { "in use" } else { "" }),
        ])
    });
    fields.push(field("lbafs", Value::List(formats.collect())));
    fields.push(field("vs", Value::bytes(data.vendor_specific())));
    Ok(fields)
}

/// The identifiers of a namespace, in their order.
pub(crate) fn descriptors(reply: &[u8]) -> Result<Fields, Malformed> {
    let found = NamespaceIdentifiers::parse(reply)?;
    let mut at = 0_u32;
    let list = found.iter().map(|id| {
        let (kind, name, bytes) = match id {
            NamespaceIdentifier::Eui64(id) => (1, "eui64", id.0.to_vec()),
            NamespaceIdentifier::Nguid(id) => (2, "nguid", id.0.to_vec()),
            NamespaceIdentifier::Uuid(id) => (3, "uuid", id.0.to_vec()),
            NamespaceIdentifier::CommandSet(set) => (4, "csi", vec![set.raw()]),
            NamespaceIdentifier::Other { kind, bytes } => (*kind, "other", bytes.clone()),
            _ => (0, "other", Vec::new()),
        };
        let text = match id {
            NamespaceIdentifier::Uuid(id) => id.to_string(),
            _ => hex(&bytes),
        };
        let meaning = match id {
            NamespaceIdentifier::CommandSet(set) => set.to_string(),
            _ => String::new(),
        };
        let length = u8::try_from(bytes.len()).unwrap_or(u8::MAX);
        let loc = at;
        at += 4 + u32::from(length);
        Value::Object(vec![
            explained("loc", loc, "where it is, in bytes"),
            explained("nidt", kind, "type"),
            explained("nidl", length, "length"),
            field("type", Value::text(name)),
            explained("nid", text, meaning),
        ])
    });
    let list = list.collect();
    Ok(vec![field("ns-descs", Value::List(list))])
}
