import { mayReadSetor, SETOR_GERAL } from '@balcao/contract/conversa-access'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { BodyOf, ResponseOf } from '@balcao/contract/define-route'
import type { iniciarConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { parsePhone } from '@balcao/contract/entities/telefone'
import { REABRIR_DIAS } from '@balcao/contract/constants'
import type { Tx } from '#db/transaction.ts'
import { storedLine } from '#db/statement/line.ts'
import type { Deps, DialogueRef } from '#deps.ts'
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
import { audienceOfView, SERVER_READER } from '#modules/leitores/index.ts'
import { withdrawBotMensagens } from '#modules/mensagens/index.ts'
import { requireNotErased } from '#modules/apagados/index.ts'
import { chooseLine, requireActiveLine } from './lines.ts'
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
    const linhaId = await chooseLine(tx, deps, session, { contatoId, requested: input.linhaId })
    const opened = await openConversaIn(tx, deps, { contaId, linhaId, contatoId, setor, operador: session })
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
  { setor, operador, ...dialogue }: DialogueRef & { readonly setor: string } & Acting,
): Promise<Conversa> {
  const { contaId, contatoId } = dialogue
  const contato = isUuid(contatoId) ? await lockContato(tx, dialogue) : null
  if (contato === null) throw new AppError('naoEncontrado')
  const { open } = contato
  if (open !== null && isOfAgent(open)) {
    await takeConversa(tx, deps, { contaId, id: open.id }, operador)
    return readOpened(tx, contaId, open.id)
  }
  if (open !== null && open.status !== 'bot') throw openRefusal(open)
  const em = deps.clock.now()
  const id = (await currentBotConversa(tx, deps, { ...dialogue, open, em })) ?? deps.ids.uuid()
  const day = localDay(em, await readTimeZone(tx, { contaId }))
  const [numbered] = await takeProtocolos(deps, [{ day, contaId }])
  if (numbered === undefined) throw new Error('no protocol number was given')
  const { protocolo } = numbered
  const linha = storedLine(dialogue)
  const row = { contaId, id, contatoId, linha, setor, protocolo, operadorId: operador.usuarioId, em }
  if ((await openForOperador(tx, row)) === 0) throw new AppError('conflito')
  await deps.applyEventIn(tx, dialogue, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
  const conversa = await readOpened(tx, contaId, id)
  tx.afterCommit(() => {
    const event = { userId: contaId, conversa, atualizada: true }
    deps.realtime.publishConversa(contaId, 'novaConversaHumana', event, audienceOfView(conversa))
  })
  return conversa
}

const isOfAgent = ({ agenteMeta, operadorId }: OpenConversa): boolean => agenteMeta && operadorId === null

function openRefusal({ id, operadorId, operador }: OpenConversa): AppError {
  const servedBy = operadorId === null ? {} : { operadorId, operador: operador ?? '' }
  return new AppError('conversaAberta', { conversaId: id, ...servedBy })
}

interface BotPart extends DialogueRef {
  readonly open: OpenConversa | null
  readonly em: Date
}

/** Ends one that expired, whose messages belong to an earlier visit. */
async function currentBotConversa(
  tx: Tx,
  deps: Pick<Deps, 'vault'>,
  { open, em, ...dialogue }: BotPart,
): Promise<string | null> {
  if (open === null) return null
  const { contaId, contatoId } = dialogue
  await withdrawBotMensagens(tx, { contaId, contatoId, linha: storedLine(dialogue) })
  const { config } = await loadConfig(tx, deps, contaId)
  const { lastActivity } = open
  if (lastActivity !== null && em.getTime() - lastActivity.getTime() <= config.menu.expiraEmMinutos * 60_000)
    return open.id
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
 * `conversaAberta`, `reabrirVencida`, `linhaNaoEscreve` if its line is inactive or deleted, and `conflito` if the
 * operador is inactive.
 */
export async function reopenConversaIn(
  tx: Tx,
  deps: OpenDeps,
  { contaId, id, operador }: Record<'contaId' | 'id', string> & Acting,
): Promise<Conversa> {
  const served = await findServed(tx, contaId, id, operador)
  if (served === null) throw new AppError('naoEncontrado')
  const { contatoId, linhaId } = served
  const dialogue = { contaId, linhaId, contatoId }
  const linha = storedLine(dialogue)
  // A setor that was removed after the end of the conversa. The held conta keeps its lines until the commit.
  const setor = (await holdSetor(tx, deps, contaId, served.setor ?? SETOR_GERAL))?.id ?? SETOR_GERAL
  await requireActiveLine(tx, dialogue)
  const contato = await lockContato(tx, dialogue)
  if (contato === null) throw new AppError('naoEncontrado')
  const { open } = contato
  if (open !== null && open.status !== 'bot') throw openRefusal(open)
  const em = deps.clock.now()
  const end = await readEnd(tx, contaId, id)
  if (end === null || em.getTime() - end.getTime() > REOPEN_MS) throw new AppError('reabrirVencida')
  if (open !== null) {
    await withdrawBotMensagens(tx, { contaId, contatoId, linha })
    await finishBotConversa(tx, { contaId, id: open.id, em, motivo: 'reaberta' })
  }
  await cancelFarewell(tx, { contaId, conversaId: id })
  const reopened = { contaId, id, contatoId, linha, setor, operadorId: operador.usuarioId, em }
  if ((await reopenForOperador(tx, reopened)) === 0) throw new AppError('conflito')
  await deps.applyEventIn(tx, dialogue, (base) => ({ tipo: 'atendenteTransferiu', setor, ...base }))
  const conversa = await readOpened(tx, contaId, id)
  tx.afterCommit(() => {
    const event = { userId: contaId, conversa }
    deps.realtime.publishConversa(contaId, 'conversaReaberta', event, audienceOfView(conversa))
  })
  return conversa
}
