"""Validates every document of a BCF file: the folder of the schemas, then the file."""

import sys
import zipfile

from lxml import etree

schemas, path = sys.argv[1:]
archive = zipfile.ZipFile(path)
version = etree.fromstring(archive.read("bcf.version")).get("VersionId")
kinds = {"markup.bcf": "markup", ".bcfv": "visinfo", "bcf.version": "version", "extensions.xml": "extensions"}
failed = False
for ending, kind in kinds.items():
    names = [name for name in archive.namelist() if name.endswith(ending)]
    if not names:
        continue
    schema = etree.XMLSchema(etree.parse(f"{schemas}/{version}/{kind}.xsd"))
    for name in names:
        if not schema.validate(etree.fromstring(archive.read(name))):
            failed = True
            print(name, schema.error_log.last_error)
sys.exit(failed)
