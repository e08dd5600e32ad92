import { hasNumber } from '@balcao/contract/connectors'
import { mayReadLinha } from '@balcao/contract/conversa-access'
import { inOrder } from '#db/statement/statement.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { loadConfig } from '#modules/configuracao/index.ts'
import { findLastLine, isVisitor } from '#modules/conversas/index.ts'
import { type LineFacts, listLineFacts } from '#modules/contas/index.ts'
import type { LineKey } from '#ports/bots.ts'

interface LineChoice {
  readonly contatoId: string
  readonly requested: string | undefined
}

/**
 * The requested line; else that of the contato's last conversa if people may write first on it, else the main one, else
 * the first of the operador's lines. Throws `naoEncontrado` for a line that is unknown, inactive or of others, and
 * `linhaNaoEscreve` for the chat on the site and for a contato who is known only there.
 */
export async function chooseLine(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  { contaId, linhas: own }: LoginSession,
  { contatoId, requested }: LineChoice,
): Promise<string> {
  const known = isUuid(contatoId)
  const [all, { config }, visitor, last] = await inOrder([
    listLineFacts(tx, { contaId }),
    loadConfig(tx, deps, contaId),
    known ? isVisitor(tx, { contaId, contatoId }) : Promise.resolve(false),
    known ? findLastLine(tx, { contaId, contatoId }) : Promise.resolve(null),
  ])
  const active = all.filter(({ id, ativa }) => ativa && mayReadLinha({ linhas: own }, id))
  const writes = ({ conector }: LineFacts): boolean => hasNumber(conector ?? config.whatsapp.conector)
  const chosen = active.find(({ id }) => id === requested)
  if (requested !== undefined && chosen === undefined) throw new AppError('naoEncontrado')
  if (visitor || (chosen !== undefined && !writes(chosen))) throw new AppError('linhaNaoEscreve')
  const usable = active.filter(writes)
  const line =
    chosen ??
    usable.find(({ id }) => id === last?.linhaId) ??
    usable.find(({ principal }) => principal) ??
    usable.toSorted((one, other) => one.nome.localeCompare(other.nome, 'pt-BR'))[0]
  if (line === undefined) throw new AppError('linhaNaoEscreve')
  return line.id
}

/** False for a line that is inactive or deleted: nothing that people write there would leave. */
export async function isActiveLine(tx: Tx, { contaId, linhaId }: LineKey): Promise<boolean> {
  return (await listLineFacts(tx, { contaId })).some(({ id, ativa }) => id === linhaId && ativa)
}

/** Throws `linhaNaoEscreve`. */
export async function requireActiveLine(tx: Tx, line: LineKey): Promise<void> {
  if (await isActiveLine(tx, line)) return
  const erro = 'A linha desta conversa não está ativa. Inicie uma conversa por outra linha.'
  throw new AppError('linhaNaoEscreve', { erro })
}
