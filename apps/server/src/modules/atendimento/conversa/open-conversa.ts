import { mayReadSetor, SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { BodyOf, ResponseOf } from '@balcao/contract/define-route'
import type { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { REABRIR_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import { AppError } from '#errors.ts'
import type { LoginSession } from '#http/authentication.ts'
import { isUuid } from '#lib/text.ts'
import { localDay } from '#lib/time.ts'
import { sendMensagem, type SendDeps } from '#modules/atendimento/envio/send-mensagens.ts'
import { loadConfig, holdSetor } from '#modules/configuracao/index.ts'
import { readTimeZone } from '#modules/contas/index.ts'
import {
  findAttendedConversa,
  finishBotConversa,
  lockContato,
  type OpenConversa,
  openForOperador,
  takeProtocolos,
  findServed,
  readEnd,
  reopenForOperador,
} from '#modules/conversas/index.ts'
import { cancelFarewell } from '#modules/despedidas/index.ts'
import { ensureContatoOfPhone } from '#modules/enderecos/index.ts'
import { audienceOf, SERVER_READER } from '#modules/leitores/index.ts'
import { withdrawBotMensagens } from '#modules/mensagens/index.ts'
import { requireNotErased } from '#modules/apagados/index.ts'
import { type ActingOperador, takeConversa } from './take.ts'
import { requireSetor } from './transfer.ts'

export type OpenDeps = SendDeps & Pick<Deps, 'reservedDb' | 'applyEventIn'>

type NewConversaInput = BodyOf<typeof iniciarConversaRoute>

interface Acting {
  readonly operador: ActingOperador
}

/**
 * A refused message opens nothing. Throws `naoEncontrado`, `dadosInvalidos` for an invalid phone, `contatoApagado`,
 * `setorDesconhecido`, and the errors of `openConversaIn` and of a send.
 */
export function startConversa(
  deps: OpenDeps & Pick<Deps, 'vault'>,
  session: LoginSession,
  input: NewConversaInput,
): Promise<ResponseOf<typeof iniciarConversaRoute>> {
  const { contaId } = session
  return deps.db.transaction(contaId, async (tx) => {
    const setor = await chooseSetor(tx, deps, session, input.setor)
    const contatoId = await findOrCreateContato(tx, deps, contaId, input)
    const opened = await openConversaIn(tx, deps, { contaId, contatoId, setor, operador: session })
    if (input.mensagem === undefined) return { conversa: opened }
    const { id: conversaId } = opened
    const { mensagem } = await sendMensagem(tx, deps, { contaId, conversaId, texto: input.mensagem, operador: session })
    return { conversa: await readOpened(tx, contaId, conversaId), mensagem }
  })
}

async function chooseSetor(
  tx: Tx,
  deps: OpenDeps,
  { contaId, setores }: LoginSession,
  requested = setores[0] ?? SETOR_GERAL,
): Promise<string> {
  if (!mayReadSetor({ setores }, requested)) throw new AppError('setorDesconhecido')
  const { id } = await requireSetor(tx, deps, contaId, requested)
  return id
}

async function findOrCreateContato(
  tx: Tx,
  deps: Pick<Deps, 'ids' | 'vault'>,
  contaId: string,
  { contatoId, telefone: written = '', nome = '', conferirApagado }: NewConversaInput,
): Promise<string> {
  if (contatoId !== undefined) return contatoId
  const telefone = parsePhone(written)
  if (telefone === null) {
    const mensagem = 'Informe o telefone com DDD, como (11) 98765-4321.'
    throw new AppError('dadosInvalidos', { erro: mensagem, detalhes: [{ caminho: 'telefone', mensagem }] })
  }
  if (conferirApagado) await requireNotErased(tx, deps, contaId, telefone)
  return ensureContatoOfPhone(tx, deps, contaId, { telefone, nome })
}

/**
 * The conversa of the bot becomes this one. Late answers of the AI and messages that wait for a connection are dropped.
 * Throws `naoEncontrado`, `conversaAberta`, and `conflito` if the operador is inactive.
 */
export async function openConversaIn(
  tx: Tx,
  deps: OpenDeps,
  { contaId, contatoId, setor, operador }: Record<'contaId' | 'contatoId' | 'setor', string> & Acting,
): Promise<Conversa> {
  const contato = isUuid(contatoId) ? await lockContato(tx, contaId, contatoId) : null
  if (contato === null) throw new AppError('naoEncontrado')
  const { open, lastActivity } = contato
  if (open !== null && isOfAgent(open)) {
    await takeConversa(tx, deps, { contaId, id: open.id }, operador)
    return readOpened(tx, contaId, open.id)
  }
  if (open !== null && open.status !== 'bot') throw openRefusal(open)
  const em = deps.clock.now()
  const id = (await currentBotConversa(tx, deps, { contaId, contatoId, open, lastActivity, em })) ?? deps.ids.uuid()
  const day = localDay(em, await readTimeZone(tx, { contaId }))
  const [numbered] = await takeProtocolos(deps, [{ day, contaId }])
  if (numbered === undefined) throw new Error('no protocol number was given')
  const { protocolo } = numbered
  const row = { contaId, id, contatoId, setor, protocolo, operadorId: operador.usuarioId, em }
  if ((await openForOperador(tx, row)) === 0) throw new AppError('conflito')
  await deps.applyEventIn(tx, contaId, contatoId, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
  const conversa = await readOpened(tx, contaId, id)
  tx.afterCommit(() => {
    const event = { userId: contaId, conversa, atualizada: true }
    deps.realtime.publishConversa(contaId, 'novaConversaHumana', event, audienceOf(conversa))
  })
  return conversa
}

const isOfAgent = ({ agenteMeta, operadorId }: OpenConversa): boolean => agenteMeta && operadorId === null

function openRefusal({ id, operadorId, operador }: OpenConversa): AppError {
  const servedBy = operadorId === null ? {} : { operadorId, operador: operador ?? '' }
  return new AppError('conversaAberta', { conversaId: id, ...servedBy })
}

interface BotPart {
  readonly contaId: string
  readonly contatoId: string
  readonly open: OpenConversa | null
  readonly lastActivity: Date
  readonly em: Date
}

/** Ends one that expired, whose messages belong to an earlier visit. */
async function currentBotConversa(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  { contaId, contatoId, open, lastActivity, em }: BotPart,
): Promise<string | null> {
  if (open === null) return null
  await withdrawBotMensagens(tx, { contaId, contatoId })
  const { config } = await loadConfig(tx, deps, contaId)
  if (em.getTime() - lastActivity.getTime() <= config.menu.expiraEmMinutos * 60_000) return open.id
  await finishBotConversa(tx, { contaId, id: open.id, em, motivo: 'expirada' })
  return null
}

async function readOpened(tx: Tx, contaId: string, id: string): Promise<Conversa> {
  const conversa = await findAttendedConversa(tx, contaId, id, SERVER_READER)
  if (conversa === null) throw new Error('opened conversa not found')
  return conversa
}

const REOPEN_MS = REABRIR_DIAS * 24 * 3_600_000

export function reopenConversa(deps: OpenDeps, session: LoginSession, id: string): Promise<Conversa> {
  const { contaId } = session
  return deps.db.transaction(contaId, (tx) => reopenConversaIn(tx, deps, { contaId, id, operador: session }))
}

/**
 * Keeps the protocolo. A conversa of the bot ends, and a pending rating question is dropped. Throws `naoEncontrado`,
 * `conversaAberta`, `reabrirVencida`, and `conflito` if the operador is inactive.
 */
export async function reopenConversaIn(
  tx: Tx,
  deps: OpenDeps,
  { contaId, id, operador }: Record<'contaId' | 'id', string> & Acting,
): Promise<Conversa> {
  const served = await findServed(tx, contaId, id, operador)
  if (served === null) throw new AppError('naoEncontrado')
  const { contatoId } = served
  // A setor that was removed after the end of the conversa.
  const setor = (await holdSetor(tx, deps, contaId, served.setor ?? SETOR_GERAL))?.id ?? SETOR_GERAL
  const contato = await lockContato(tx, contaId, contatoId)
  if (contato === null) throw new AppError('naoEncontrado')
  const { open } = contato
  if (open !== null && open.status !== 'bot') throw openRefusal(open)
  const em = deps.clock.now()
  const end = await readEnd(tx, contaId, id)
  if (end === null || em.getTime() - end.getTime() > REOPEN_MS) throw new AppError('reabrirVencida')
  if (open !== null) {
    await withdrawBotMensagens(tx, { contaId, contatoId })
    await finishBotConversa(tx, { contaId, id: open.id, em, motivo: 'reaberta' })
  }
  await cancelFarewell(tx, { contaId, conversaId: id })
  const reopened = { contaId, id, contatoId, setor, operadorId: operador.usuarioId, em }
  if ((await reopenForOperador(tx, reopened)) === 0) throw new AppError('conflito')
  await deps.applyEventIn(tx, contaId, contatoId, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
  const conversa = await readOpened(tx, contaId, id)
  tx.afterCommit(() => {
    const event = { userId: contaId, conversa }
    deps.realtime.publishConversa(contaId, 'conversaReaberta', event, audienceOf(conversa))
  })
  return conversa
}
