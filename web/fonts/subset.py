"""Makes geist.woff2 and geist-mono.woff2 from the @fontsource-variable packages; run it again after an upgrade of them:

    python3 web/fonts/subset.py        (needs fonttools and brotli)

Three things make the files small enough for the first load: only the weights that the design uses (one, in mono), no
sign copied in from the latin-ext file, which would otherwise be fetched whole for this one glyph.
"""
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib.instancer import instantiateVariableFont

HERE = Path(__file__).parent
PACKAGES = HERE.parent.parent / "node_modules" / "@fontsource-variable"
RUPEE = 0x20B9
PUNCTUATION = [0xA0, 0xA7, 0xA9, 0xAB, 0xB0, 0xB7, 0xBB, 0xD7, 0x2013, 0x2014, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2026, 0x2212, RUPEE]
WANTED = [*range(0x20, 0x7F), *PUNCTUATION]


def add_rupee(font: TTFont, extended: TTFont) -> None:
    name = extended.getBestCmap()[RUPEE]
    glyph = extended["glyf"][name]
    assert not glyph.isComposite(), "the rupee sign is drawn from parts now: copy those too"
    # Read every table while the glyph count still matches.
    font.ensureDecompiled()
    font.setGlyphOrder([*font.getGlyphOrder(), name])
    font["glyf"].glyphs[name] = glyph
    font["glyf"].glyphOrder = font.getGlyphOrder()
    font["hmtx"].metrics[name] = extended["hmtx"].metrics[name]
    font["gvar"].variations[name] = extended["gvar"].variations[name]
    font["maxp"].numGlyphs = len(font.getGlyphOrder())
    for table in font["cmap"].tables:
        if table.isUnicode():
            table.cmap[RUPEE] = name
    # Its rows are by glyph index and would have to grow; without it, widths come from gvar.
    for table in ("HVAR", "GDEF"):
        if table in font:
            del font[table]


for package, weights in (("geist", (400, 700)), ("geist-mono", 450)):
    files = PACKAGES / package / "files"
    font = TTFont(files / f"{package}-latin-wght-normal.woff2")
    # Keys, references and countdowns are set in the mono face: none of them has an amount in it.
    if package == "geist":
        add_rupee(font, TTFont(files / f"{package}-latin-ext-wght-normal.woff2"))
    options = Options()
    options.layout_features = ["kern", "ccmp", "locl", "tnum"]
    options.hinting = False
    options.drop_tables += ["MVAR", "GDEF", "gasp"]
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=WANTED)
    subsetter.subset(font)
    font = instantiateVariableFont(font, {"wght": weights})
    font.flavor = "woff2"
    font.save(HERE / f"{package}.woff2")
    print(package, (HERE / f"{package}.woff2").stat().st_size, "bytes")
