import { Readable } from 'node:stream'
import type { Contato } from '@balcao/contract/entities/contato'
import { escapeFormulas } from '@balcao/contract/text/spreadsheet'
import type { Deps } from '#deps.ts'
import type { RequestSession } from '#http/authentication.ts'
import { recordAuditoria } from '#modules/auditoria/index.ts'
import { listEtiquetas } from './etiquetas/repository.ts'
import { joinEtiquetas } from './etiquetas/etiqueta-names.ts'
import { listContatos } from './repository.ts'

const HEADER = [
  'Nome',
  'Telefone',
  'Usuário',
  'Etiquetas',
  'Observação',
  'Criado em',
  'Última atividade',
  'Pediu parada',
]
const PAGE = 1_000

type ExportDeps = Pick<Deps, 'db' | 'ids' | 'clock'>

export async function exportContatos(deps: ExportDeps, session: RequestSession): Promise<Readable> {
  const { contaId } = session
  const names = await deps.db.transaction(contaId, async (tx) => {
    await recordAuditoria(tx, deps, { acao: 'dadosExportados', quem: session, detalhe: 'A lista de contatos' })
    return new Map((await listEtiquetas(tx, { contaId })).map(({ id, nome }) => [id, nome]))
  })
  return Readable.from(csvPages(deps, session, names), { objectMode: false })
}

async function* csvPages(
  { db }: ExportDeps,
  { contaId, usuarioId, setores, linhas }: RequestSession,
  names: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  yield `\uFEFF${csvLine(HEADER)}`
  let cursor: string | null | undefined
  while (cursor !== null) {
    const filter = { limite: PAGE, cursor, reader: { usuarioId, setores, linhas } }
    const { contatos, proximoCursor } = await db.read(contaId, (tx) => listContatos(tx, contaId, filter), {
      planner: 'indexes',
    })
    yield contatos.map((contato) => csvLine(cellsOf(contato, names))).join('')
    cursor = proximoCursor
  }
}

function cellsOf(contato: Contato, names: ReadonlyMap<string, string>): string[] {
  const { nome, telefone, nomeUsuario = '', etiquetas, observacao, criadoEm, ultimaAtividade, pediuParada } = contato
  const tags = joinEtiquetas(etiquetas.map((id) => names.get(id)).filter((name) => name !== undefined))
  const phone = telefone === '' || telefone.startsWith('55') ? telefone : `+${telefone}`
  return [nome, phone, nomeUsuario, tags, observacao, criadoEm, ultimaAtividade, pediuParada === true ? 'sim' : '']
}

/** For Brazilian spreadsheets: `;` as separator, every cell quoted, no formulas, CRLF. */
export function csvLine(cells: readonly string[]): string {
  return `${cells.map((cell) => `"${escapeFormulas(cell).replaceAll('"', '""')}"`).join(';')}\r\n`
}
