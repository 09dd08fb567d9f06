package chinese

import "github.com/vcpgo/vcp/internal/message"

// Tabular has the texts of package tool/builtin/internal/tabular.
var Tabular = message.Catalog{
	"%q %v": "%q %v", // the name of a file, and what is wrong with it
	"day":   "日", "week": "周", "month": "月", "quarter": "季度", "year": "年",
	"%s and %d more": "%s，以及另外 %d 个",

	// Files that are no tables.
	"does not have the extension of a table; the extensions are %s":                                 "的扩展名不是表格的扩展名；表格的扩展名有 %s",
	"is not text in UTF-8; save it as CSV in UTF-8":                                                 "不是 UTF-8 文本；请另存为 UTF-8 的 CSV",
	"is not text in UTF-8 at line %d; save it in UTF-8":                                             "第 %d 行不是 UTF-8 文本；请另存为 UTF-8",
	"is empty; the first row of a table names its columns":                                          "是空的；表格的第一行是列名",
	"is empty; write one JSON object per line":                                                      "是空的；请每行写一个 JSON 对象",
	"has %d columns, and at most %d are read":                                                       "有 %d 列，最多读取 %d 列",
	"has a row of more than %d bytes after line %d; a closing quotation mark may be missing":        "第 %[2]d 行之后有一行超过 %[1]d 字节；可能有引号没有闭合",
	"has a row of more than %d bytes after row %d":                                                  "第 %[2]d 行之后有一行超过 %[1]d 字节",
	"cannot be read at line %d: %v":                                                                 "第 %d 行无法读取：%v",
	"has a row %d that is not a JSON object; each row is an object such as {\"name\": \"value\"}":   "第 %d 行不是 JSON 对象；每一行是一个对象，例如 {\"name\": \"value\"}",
	"is not JSON after row %d, at byte %d; write one JSON object per line, or one array of objects": "在第 %d 行之后、第 %d 字节处不是 JSON；请每行写一个 JSON 对象，或写一个由对象组成的数组",
	"ends too early after row %d; write one JSON object per line, or one array of objects":          "在第 %d 行之后过早结束；请每行写一个 JSON 对象，或写一个由对象组成的数组",
	"has %d bytes, and an XLSX file of at most %d is read; save the sheet as CSV":                   "有 %d 字节，最多读取 %d 字节的 XLSX 文件；请把工作表另存为 CSV",
	"cannot be read as XLSX: %.200v; save the sheet as CSV":                                         "无法作为 XLSX 读取：%.200v；请把工作表另存为 CSV",
	"has more than %d bytes of distinct texts; save the sheet as CSV":                               "互不相同的文本合计超过 %d 字节；请把工作表另存为 CSV",
	"has no sheet %q; its sheets are %s":                                                            "没有工作表 %q；它的工作表有 %s",
	"has nothing in its sheet %q; its sheets are %s":                                                "工作表 %q 中没有内容；它的工作表有 %s",

	// Questions that cannot be answered.
	"there is no column %.60q; did you mean %q?":   "没有列 %.60q；是否应为 %q？",
	"there is no column %.60q; the columns are %v": "没有列 %.60q；列有 %v",
	"no column has dates such as 2026-04-03 in its first rows; name the column of the dates with `date`. The columns are %v":          "前几行中没有一列含有 2026-04-03 这样的日期；请用 `date` 指明日期所在的列。列有 %v",
	"%d columns are named, and at most %d are allowed":                                                                                "指定了 %d 列，最多允许 %d 列",
	"where has %d conditions, and at most %d are allowed":                                                                             "where 有 %d 个条件，最多允许 %d 个",
	"where: %.80q is not a condition; write one such as region = North, amount > 100 or name contains lee, and join several with and": "where 参数：%.80q 不是条件；请写成 region = North、amount > 100 或 name contains lee 之类，多个条件用 and 连接",
	"where: %v": "where 参数：%v",
	"where: conditions are joined with `and` only; ask once for each side of `or`, or put the value in quotation marks: %.80q":    "where 参数：条件只能用 `and` 连接；请对 `or` 的两边分别查询，或者给值加上引号：%.80q",
	"a range such as \"last %s\" cannot be used together with `from` or `to`; give one of them":                                   "\"last %s\" 之类的 range 与 `from` 或 `to` 不能同时使用；请只给出其中之一",
	"there are more than %d groups; group by a column with fewer different values, by a longer period, or select rows with where": "分组超过 %d 个；请按不同值较少的列或更长的 period 分组，或用 where 选择行",
	"the names of the groups have more than %d bytes; group by a column with shorter values, or select rows with where":           "分组的名称超过 %d 字节；请按值较短的列分组，或用 where 选择行",
	"row %d is too far: only the first %d rows can be returned; select fewer rows with where":                                     "第 %d 行太靠后：只能显示前 %d 行；请用 where 选择较少的行",
	"the rows have more than %d bytes; name the columns that you need, or ask for fewer rows":                                     "这些行超过 %d 字节；请用 columns 指明需要的列，或减少行数",

	// Notes.
	"rows with more or fewer cells than the header: %d, the first is row %d; missing cells count as empty, and further ones are not read": "有 %d 行的单元格数与表头不同，第一个是第 %d 行；缺少的单元格视为空，多出的不读取",
	"the rows have more than %d different members; the others are not read":                                                               "各行的不同成员超过 %d 个；其余的不读取",
	"%d rows have more cells than the first row has column names; the further cells are not read":                                         "有 %d 行的单元格多于第一行的列名；多出的不读取",
	"this is the sheet %q; the sheets are %s":                                                                                             "这是工作表 %q；工作表有 %s",
	"%d of the selected rows have no number in %s, for example %q; they are omitted":                                                      "选中的行中有 %d 行在 %s 中没有数值，例如 %q；它们不计入",
	"%d of the selected rows have nothing in %s; they are omitted":                                                                        "选中的行中有 %d 行在 %s 中为空；它们不计入",
	"%d rows have no date in %s; they are omitted":                                                                                        "有 %d 行在 %s 中没有日期；它们不计入",
	"%v; dates such as %s could be read in two ways, and are not read: write them as 2026-04-03":                                          "%v；%s 这样的日期有两种读法，因此不读取：请写成 2026-04-03",
	"the dates end on %s, so %s is not complete and the %v before it is taken; set from and to for another range":                         "日期到 %s 为止，因此 %s 不完整，改用它之前的一个%v；其他范围请设置 from 和 to",
	"the dates end on %s, so %s is not complete":                                                                                          "日期到 %s 为止，因此 %s 不完整",
}
