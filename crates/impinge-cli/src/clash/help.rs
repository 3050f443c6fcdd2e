//! What `impinge clash --help` says behind the options.

/// Examples, what words mean, the form of rules, exit status.
pub(super) const TEXT: &str = "\
Examples:
  impinge clash engine.glb
  impinge clash engine.glb --clearance 0.005 --report engine.html
  impinge clash housing.stl shaft.stl bearing.stl --unit mm --clearance 0.2
  impinge clash plant.glb --set pipes='pipe*' --set steel='beam*' --ignore '*insulation*'
  impinge clash engine.glb --json > today.json
  impinge clash engine.glb --baseline yesterday.json --fail-on new
  impinge clash engine.glb --animation all --report engine.html
  impinge clash building.glb --rules building.toml --bcf monday.bcf
  impinge clash building.glb --rules building.toml --status monday.bcf --bcf tuesday.bcf

Each mesh node of a glTF scene is a part with all primitives of its mesh, and so is each of its instances (`bolt#0`); other files are a part each. \
Of a folder and of a ZIP archive all files of known formats are read, in the order of their names, but not folders within a folder. \
With --split each group of a mesh is a part, or each connected component of a mesh without groups, as those of glTF are. \
What is said of two parts, the gravest that holds: duplicate (the same faces or the same solid at the same place), overlapping, inside, touching, \
near (--clearance).

A part has a path: its file, the names of all nodes above it, its own (`engine.glb/copy0/frame/bolt_7`); where several have the same, the \
second ends with `#2`. Patterns of --set, --ignore and --ignore-pairs fit a name, a path, or a path without its file. \
In the file of --ignore-pairs a line that starts with # is a comment; a pattern in double quotes may hold tabs and commas, and two quotes in it \
stand for one. What is ignored is counted in the notes.

What has faces that nobody looked at is left out, counted and named in the notes: a part that cannot be placed, such as one with a scale of 0, unless \
it is ignored by name; a primitive without positions; free-form surfaces and statements of OBJ that are not understood. Such a scene is not clean: the exit status is 1. \
Points, lines and hidden nodes are no such things.

With --baseline, clashes of an earlier run keep their ids: parts are found again by their names inside of the scene, then by shape, then by \
nearest place, so that neither another folder nor a part that moved makes everything new.

Three lengths, and what they mean: --touch is what rounding may do; a gap no larger is touching, and so is an overlap of solids no deeper that holds no larger \
ball; what sticks out by no more is inside. --tolerance is what you forgive: overlaps of solids no deeper than that are left out and counted, but for those that go through a \
thin part. --clearance is what the design wants; parts closer than that, and farther than --touch, are near.

The depth of an overlap of solids is the greatest distance that a point of one's surface lies inside of the other, measured to the other's surface, as \
an interval no wider than 1 % or --touch. Beside it is the length of a move that was made and found to end the overlap: of a shaft in its \
bearing that is long, however little the two cross. Two surfaces have no depth.

Clashes that are one matter are one row with a count, the gravest in front: the same two shapes that clash in the same way (in the same relative \
place, or around one and the same part and equally deep within 1 %), and a part that clashes with three or more others. --ungrouped lists each by \
itself; JSON and CSV have all clashes, and name their groups. CSV is UTF-8 without a byte order mark, for programs; spreadsheets import it as UTF-8. No \
cell of it is taken for a formula.

--rules FILE.toml has sets of parts, by patterns on names and paths, by class or by properties, and rules for pairs of sets, of which the first that names a pair counts:
  unit = \"m\"                      # of the lengths below; that of the scene where it is missing
  unlisted = \"check\"              # or \"ignore\": pairs that no rule names
  severity = \"major\"              # of clashes whose rule says none: critical, major, minor, info
  [sets.pipes]
  match = [\"pipe*\", \"*/IfcPipeSegment/*\"]
  except = [\"*insulation*\"]
  [sets.outer_walls]              # all that is said of a set has to hold
  class = [\"IfcWall*\"]
  properties = { \"Pset_WallCommon.IsExternal\" = true }
  [[rules]]
  between = [\"pipes\", \"steel\"]    # \"*\" is the set of all parts
  verdicts = [\"overlapping\"]      # those that count; all where it is missing
  tolerance = 0.005               # as --tolerance, for these pairs
  clearance = 0.05                # as --clearance, for these pairs
  severity = \"critical\"
  # ignore = true                 # not looked at, or
  # hosted = true                 # the second stands in the first by design, as a door in its wall: only duplicates count
What rules leave out is counted in the notes. Properties are the extras of a glTF node and of its mesh, or of the nearest node above it that has some; names within \\
names are joined by dots. The class is class, ifc_class or IfcType among them, in any case; where a file has none, a piece of the path such as IfcWall is. Values are patterns, too.

--bcf writes a topic for each group, in meters and with the third axis up. Its GUID is made from the group's id, so that a topic stays the same from \
run to run. Components have their IfcGuid where 22 characters of one stand in the part's name or path, otherwise the path. Topics are dated by \
SOURCE_DATE_EPOCH where that is set. --status reads such a file back, also as another tool saved it, or notes:
  {\"schema\":1,\"notes\":{\"<id of a clash or a group>\":{\"status\":\"Closed\",\"assignee\":\"Ann\",\"comment\":\"…\",\"author\":\"…\",\"date\":\"…\"}}}
What was said is in the table, in JSON as review, and in the next BCF file.

Parts that are open have no inside. What lies in them, and how deep, is estimated by how much of the view from a point they cover: inside from three quarters \
on, outside up to a quarter. Such rows are marked (depth ≈ in the table, estimated in JSON and CSV). Pairs in between are in a note, and in JSON as unknown.

With --animation parts move as the file says, and the gravest that happens to two parts is said, with the time since when, how long they are in \
contact altogether, and the moment at which the place was taken. That time is found continuously, however short the contact: it is never later than \
the first touch. What only looking at moments can tell is marked sampled: skins and morphs, and parts that already touched.

Exit status: 0 no clash, 1 some (with --fail-on: some of those kinds) or something left out, 2 error, 130 interrupted, by Ctrl-C or SIGTERM: what was found by then is still \
written, and says that it is partial; a pair that takes long is given up in its middle, and keeps what is known of it.";
