import { mayReadLinha, mayReadSetor } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { localDay } from '#lib/time.ts'
import { countAttempt, testLimit } from '#modules/auth/index.ts'
import type { ConfigDeps } from '#modules/configuracao/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import { findAttendedConversa, takeProtocolos } from '#modules/conversas/index.ts'
import { SERVER_READER } from '#modules/leitores/index.ts'
import { insertTestConversa } from '#modules/mensagens/index.ts'
import { requireSetor } from './transfer.ts'

type TestConversaDeps = ConfigDeps & Pick<Deps, 'reservedDb' | 'ids' | 'realtime' | 'applyEventIn'>

/**
 * Sends no messages and does not count for the daily limit. The conversa is on the first line. Throws
 * `setorDesconhecido`, `semPermissao` for an operador of other lines, or `muitasTentativas` after 60 in a minute.
 */
export async function createTestConversa(
  deps: TestConversaDeps,
  { contaId, setores, linhas }: LoginSession,
  setorId: string,
): Promise<Conversa> {
  await deps.db.transaction(contaId, (tx) => countAttempt(tx, deps, testLimit('conversa', contaId)))
  if (!mayReadLinha({ linhas }, contaId)) throw new AppError('semPermissao')
  if (!mayReadSetor({ setores }, setorId)) throw new AppError('setorDesconhecido')
  const em = deps.clock.now()
  const day = localDay(em, await deps.db.read(contaId, (tx) => readTimeZone(tx, { contaId })))
  const [numbered] = await takeProtocolos(deps, [{ day, contaId }])
  if (numbered === undefined) throw new Error('no protocol number was given')
  return deps.db.transaction(contaId, async (tx) => {
    const setor = await requireSetor(tx, deps, contaId, setorId)
    const { uuid } = deps.ids
    const [contatoId, id, mensagemId] = [uuid(), uuid(), uuid()]
    const fresh = { contatoId, id, mensagemId, em, setor: setorId, telefone: fictitiousPhone(contatoId) }
    const texto = `Olá! Esta é uma conversa de teste do setor ${setor.nome}.`
    await insertTestConversa(tx, { contaId, ...fresh, texto, protocolo: numbered.protocolo })
    await deps.applyEventIn(tx, { contaId, linhaId: contaId, contatoId }, (base) => ({
      tipo: 'atendenteTransferiu',
      setor: setorId,
      ...base,
    }))
    const conversa = await findAttendedConversa(tx, contaId, id, SERVER_READER)
    if (conversa === null) throw new Error('test conversa not found after insert')
    const audience = { setores: [setorId], linhaId: contaId, operadorId: null }
    const event = { userId: contaId, conversa }
    tx.afterCommit(() => deps.realtime.publishConversa(contaId, 'novaConversaHumana', event, audience))
    return conversa
  })
}

/** Area code 00 does not exist, so no customer has this number. */
function fictitiousPhone(contatoId: string): string {
  const chance = Number.parseInt(contatoId.slice(-8), 16) % 100_000_000
  return `55009${String(chance).padStart(8, '0')}`
}
