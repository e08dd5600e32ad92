import { describe, expect, it } from 'vitest'
import { unescapeFormulas } from '@balcao/contract/text/spreadsheet'
import { AppError } from '#errors.ts'
import { csvLine } from '#modules/contatos/export-contatos.ts'
import { joinEtiquetas, splitEtiquetas } from '#modules/contatos/etiquetas/etiqueta-names.ts'
import { readFileText, checkRow, mergeRows } from '#modules/contatos/import/rows.ts'
import { parseFile } from '#modules/contatos/import/parse-file.ts'
import { readCsv } from '#modules/contatos/import/read-csv.ts'
import { readVcards } from '#modules/contatos/import/read-vcards.ts'
import { likePattern, searchTerms } from '#modules/contatos/search-terms.ts'

describe('searchTerms', () => {
  it.each([
    ['José  SILVA', ['jose', 'silva']],
    ['(11) 98765-4321', ['11987654321']],
    ['+55 (11) 8765-4321', ['551187654321']],
    ['011 3265.4321', ['1132654321']],
    ['maria 98765-4321', ['maria', '987654321']],
    ['@Ana.Lu', ['@ana.lu']],
    ['  ', []],
    ['- +', ['-', '+']],
    ['Ação 24h', ['acao', '24h']],
  ])('splits %j', (search, terms) => {
    expect(searchTerms(search)).toEqual(terms)
  })

  it('escapes the wildcards of LIKE', () => {
    expect(likePattern(String.raw`50%_\x`)).toBe(String.raw`%50\%\_\\x%`)
  })
})

const refusal = (reason: string) =>
  expect.objectContaining({ codigo: 'dadosInvalidos', dados: { erro: expect.stringContaining(reason) } })

describe('readCsv', () => {
  it.each([
    ['Portuguese', 'Nome;Telefone;Etiquetas;Observação\r\nAna;(11) 98765-4321;VIP, Atacado;"gosta de ""bolo"""\r\n'],
    ['a tab', 'nome\ttelefone\tetiquetas\tobs\nAna\t(11) 98765-4321\tVIP|Atacado\tgosta de "bolo"\n'],
    ['sep=', 'sep=,\nName,Phone,Tags,Notes\nAna,(11) 98765-4321,"VIP,Atacado","gosta de ""bolo"""\n'],
    [
      'Google',
      'First Name,Middle Name,Last Name,Notes,Labels,Phone 1 - Label,Phone 1 - Value\nAna,,,"gosta de ""bolo""",VIP ::: Atacado ::: * myContacts,Mobile,(11) 98765-4321\n',
    ],
    [
      'Outlook',
      'First Name,Last Name,Company,Home Phone,Mobile Phone,Categories,Notes\n,,Ana,,(11) 98765-4321,VIP;Atacado,"gosta de ""bolo"""\n',
    ],
  ])('reads a file with the columns of %s', (_nome, text) => {
    const [row] = readCsv(text)
    expect(row).toEqual({
      linha: text.startsWith('sep=') ? 3 : 2,
      nome: 'Ana',
      telefones: expect.arrayContaining(['(11) 98765-4321']),
      etiquetas: ['VIP', 'Atacado'],
      observacao: 'gosta de "bolo"',
    })
  })

  it('reads a file without a header and counts lines across empty lines and line breaks', () => {
    const rows = readCsv('Ana;11987654321\n\n"Bia\nLima";11987654322\nCaio;11987654323')
    expect(rows.map(({ linha, nome }) => [linha, nome])).toEqual([
      [1, 'Ana'],
      [3, 'Bia\nLima'],
      [5, 'Caio'],
    ])
  })

  it.each([
    ['without phones', 'Nome;Cidade\nAna;Recife', 'coluna de telefone'],
    ['without text', '', 'coluna de telefone'],
    ['with an open quote', 'Nome;Telefone\n"Ana;11987654321', 'Confira as aspas'],
    ['with too many rows', `Telefone\n${'11987654321\n'.repeat(50_001)}`, 'mais de 50.000'],
  ])('refuses a file %s', (_nome, text, reason) => {
    expect(() => readCsv(text)).toThrow(refusal(reason))
  })

  it('reads back exactly what the export writes', () => {
    const etiquetas = ['VIP, ouro', '-50%']
    const cells = ['=HYPERLINK("x")', '+12025550123', joinEtiquetas(etiquetas), '@a, =1\nb;c']
    const line = csvLine(cells)
    expect(line).toContain(`"'=HYPERLINK(""x"")"`)
    const [row] = readCsv(`${csvLine(['Nome', 'Telefone', 'Etiquetas', 'Observação'])}${line}`)
    expect(row).toMatchObject({ nome: cells[0], telefones: [cells[1]], etiquetas, observacao: cells[3] })
    expect(unescapeFormulas("D'Ávila")).toBe("D'Ávila")
    expect(splitEtiquetas('a; b | c,')).toEqual(['a', 'b', 'c'])
  })
})

describe('readFileText', () => {
  it('decodes UTF-8 with BOM, Latin-1 and UTF-16', () => {
    expect(readFileText(Buffer.from('\uFEFFJoão'))).toEqual({ kind: 'csv', text: 'João' })
    expect(readFileText(Buffer.from('João', 'latin1')).text).toBe('João')
    expect(readFileText(Buffer.from('\uFEFFJoão', 'utf16le')).text).toBe('João')
    expect(readFileText(Buffer.from('\r\nbegin:vcard\r\n')).kind).toBe('vcard')
  })
})

describe('readVcards', () => {
  it('reads versions 2.1, 3.0 and 4.0 and refuses a broken card alone', () => {
    const rows = readVcards(
      [
        'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Jos=C3=A9;Jo=C3=A3o=\r\n=20Z=C3=A9;;;\r\nTEL;HOME:1132654321\r\nTEL;CELL;PREF:011 98765-4321\r\nPHOTO;ENCODING=BASE64;JPEG:AAAA\r\n BBBB\r\n\r\nEND:VCARD',
        String.raw`BEGIN:VCARD
VERSION:3.0
N:Silva;Ana;;;
FN:Ana Sil
 va
item1.TEL;type=CELL;type=VOICE:+55 11 98765-4322
item1.X-ABLabel:x
CATEGORIES:VIP,myContacts
NOTE:linha 1\nlinha 2\, fim
END:VCARD`,
        'BEGIN:VCARD\nVERSION:4.0\nORG:Padaria;Vendas\nTEL;VALUE=uri;TYPE="voice,cell":tel:+5511987654323\nEND:VCARD',
        'BEGIN:VCARD\nVERSION:3.0\nFN;X="aberto:Bia\nTEL:11987654324\nEND:VCARD',
      ].join('\r\n'),
    )
    expect(rows).toEqual([
      {
        ...{ linha: 1, nome: 'João Zé José', telefones: ['011 98765-4321', '1132654321'] },
        ...{ etiquetas: [], observacao: '' },
      },
      {
        ...{ linha: 11, nome: 'Ana Silva', telefones: ['+55 11 98765-4322'] },
        ...{ etiquetas: ['VIP'], observacao: 'linha 1\nlinha 2, fim' },
      },
      { linha: 21, nome: 'Padaria Vendas', telefones: ['+5511987654323'], etiquetas: [], observacao: '' },
      { linha: 26, motivo: 'Cartão que não pôde ser lido' },
    ])
  })
})

/** Files of `size` characters with contents that are slow to read, and whether the reader refuses the file. */
const HOSTILE: readonly (readonly [string, 'refused' | 'read', (size: number) => string])[] = [
  [
    'quoted-printable lines',
    'refused',
    (size) => `BEGIN:VCARD\nNOTE;ENCODING=QUOTED-PRINTABLE;=\n${'a=\n'.repeat(size / 3)}END:VCARD`,
  ],
  [
    'skipped quoted-printable lines',
    'read',
    (size) => `BEGIN:VCARD\n;ENCODING=QUOTED-PRINTABLE;=\n${'a=\n'.repeat(size / 3)}END:VCARD`,
  ],
  ['folded lines', 'refused', (size) => `BEGIN:VCARD\nFN:a\n${' a\n'.repeat(size / 3)}END:VCARD`],
  ['parameters', 'refused', (size) => `BEGIN:VCARD\nTEL${';x=1'.repeat(size / 4)}:11987654321\nEND:VCARD`],
  ['properties', 'refused', (size) => `BEGIN:VCARD\n${'TEL:11987654321\n'.repeat(size / 16)}END:VCARD`],
  ['cards', 'refused', (size) => 'BEGIN:VCARD\n'.repeat(size / 12)],
  ['cells', 'refused', (size) => `Telefone${';'.repeat(size)}`],
  ['quotes', 'read', (size) => `Telefone\n${'"";'.repeat(size / 3)}`],
  ['line breaks in quotes', 'refused', (size) => `Telefone\n"${'\n'.repeat(size)}"`],
  ['cells in later rows', 'read', (size) => `Telefone\n${`${';'.repeat(60_000)}\n`.repeat(size / 60_000)}`],
]

const LARGEST = 5_000_000
/**
 * Processor time of the thread that waits for the file. Unlike the longest pause of its event loop, it does not grow
 * on a busy machine. The slow ones of these files take 200 to 1,700 ms to read.
 */
const CPU_MAX_MS = 100

/** Processor time of this thread, in milliseconds, until the file is read or refused. */
async function cpuMsOf(bytes: Buffer, expected: 'refused' | 'read'): Promise<number> {
  const before = process.threadCpuUsage()
  const outcome = await parseFile(bytes).then(
    () => 'read',
    (error: unknown) => (error instanceof AppError && error.codigo === 'dadosInvalidos' ? 'refused' : error),
  )
  const { user, system } = process.threadCpuUsage(before)
  expect(outcome).toBe(expected)
  return (user + system) / 1_000
}

describe('parseFile', () => {
  it.each(HOSTILE)(
    'ends a file of 5 MB with many %s without stopping the event loop',
    async (_nome, expected, fileOf) => {
      const bytes = Buffer.from(fileOf(LARGEST))
      // The garbage of earlier tests is collected in the same thread and may spoil one measurement.
      const isShort = async (): Promise<boolean> => (await cpuMsOf(bytes, expected)) < CPU_MAX_MS
      expect((await isShort()) || (await isShort()) || (await isShort())).toBe(true)
    },
  )

  it.each(HOSTILE)('reads many %s in at most three times the time of half of them', (_nome, _expected, fileOf) => {
    const [half, whole] = [fileOf(LARGEST / 10), fileOf(LARGEST / 5)]
    // Below 50 ms clock and compiler decide. A busy machine spoils single measurements.
    const isLinear = (): boolean => fastestOf(3, () => read(whole)) < Math.max(50, 3 * fastestOf(3, () => read(half)))
    expect(isLinear() || isLinear() || isLinear()).toBe(true)
  })

  it.each([
    ['a deadline', { deadlineMs: 1, memoryMb: 256 }],
    ['a limit of memory', { deadlineMs: 20_000, memoryMb: 4 }],
  ])('refuses a file that exceeds %s', async (_nome, limits) => {
    const text = `Nome;Telefone\n${Array.from({ length: 50_000 }, (_, n) => `Ana ${n};119${80_000_000 + n}`).join('\n')}`
    await expect(parseFile(Buffer.from(text), limits)).rejects.toMatchObject({
      dados: { erro: expect.stringContaining('grande demais') },
    })
  })
})

function read(text: string): void {
  const { kind, text: decoded } = readFileText(Buffer.from(text))
  try {
    const rows = kind === 'vcard' ? readVcards(decoded) : readCsv(decoded)
    mergeRows(rows.map((row) => ('motivo' in row ? row : checkRow(row))))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
}

function fastestOf(runs: number, work: () => void): number {
  const times = Array.from({ length: runs }, () => {
    const start = performance.now()
    work()
    return performance.now() - start
  })
  return Math.min(...times)
}

describe('checkRow', () => {
  const row = (fields: object) =>
    checkRow({ ...{ linha: 2, nome: 'Ana', telefones: ['1187654321'], etiquetas: [], observacao: '' }, ...fields })

  it.each([
    [{}, { telefone: '5511987654321' }],
    [{ telefones: ['(11) 3265-4321', '011 98765-4321'] }, { telefone: '5511987654321' }],
    [{ telefones: ['+1 202 555 0123'] }, { telefone: '12025550123' }],
    [{ telefones: ['', ' '] }, { motivo: 'Sem telefone' }],
    [{ telefones: ['98765-4321'] }, { motivo: 'Telefone inválido' }],
    [{ nome: 'a'.repeat(121) }, { motivo: 'Nome com mais de 120 letras' }],
    [{ nome: ' Ana \0  Lima ' }, { nome: 'Ana Lima' }],
    [{ observacao: 'a'.repeat(2001) }, { motivo: 'Observação com mais de 2000 letras' }],
    [{ etiquetas: ['a'.repeat(41)] }, { motivo: 'Etiqueta com mais de 40 letras' }],
  ])('checks %j', (fields, result) => {
    expect(row(fields)).toMatchObject({ linha: 2, ...result })
  })

  it('keeps the first row of a phone, ignores an equal one and refuses another one', () => {
    const merged = mergeRows([
      row({}),
      row({ linha: 3 }),
      row({ linha: 4, nome: 'Bia' }),
      row({ linha: 5, telefones: [] }),
    ])
    expect(merged.rows).toHaveLength(1)
    expect(merged.repeated).toBe(1)
    expect(merged.recusados).toEqual([
      { linha: 4, motivo: 'Telefone repetido da linha 2' },
      { linha: 5, motivo: 'Sem telefone' },
    ])
  })
})
