import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { contarMensagem, type LimiteDeps } from '#bot/limite.ts'
import { citadaDe } from '#bot/extras.ts'
import { nomeOuTelefone, toMensagem } from '#bot/mensagem-humana.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { ModeloEnviado } from '#ports/messaging.ts'
import { AppError } from '#errors.ts'
import { exigirAlvo } from './alvo.ts'
import { type Operador, tomada } from './assumir-conversa.ts'
import { exigirJanela } from './janela.ts'
import { exigirMinha, mudar } from './mudar-conversa.ts'
import { anunciarMensagem } from './publicar.ts'
import { findMensagem, insertMensagem, lockConversa, type Travada } from './repository.ts'

export type EnviarDeps = LimiteDeps & Pick<Deps, 'bots' | 'acontecerEm'>

export interface EnvioDeOperador {
  readonly contaId: string
  readonly conversaId: string
  /** Empty only when there is `midia`. */
  readonly texto: string
  readonly midia?: Midia
  /** Approved by the service: may be sent at any time, and `texto` is what the customer reads. */
  readonly modelo?: ModeloEnviado
  /** The message of this conversation that it answers. */
  readonly citadaId?: string | undefined
  /** The same one twice in a conversation is one message. */
  readonly idTemporario?: string | undefined
  readonly operador: Operador
}

export interface MensagemEnviada {
  readonly mensagem: Mensagem
  readonly conversaId: string
  readonly idTemporario?: string
}

/**
 * An operator writes to a customer: stored, counted and queued in the caller's transaction, sent and told after its commit.
 * A waiting conversation is taken first. Throws `naoEncontrado`, `conversaFinalizada`, `janelaFechada`, `conversaAssumida`
 * (naming who has it), what `exigirAlvo` throws, and `limiteDiario`, in this order; what was stored before under the same `idTemporario` comes back as it is now.
 */
export async function enviarComoOperador(tx: Tx, deps: EnviarDeps, envio: EnvioDeOperador): Promise<MensagemEnviada> {
  const { contaId, conversaId, idTemporario, operador } = envio
  const travada = await lockConversa(tx, contaId, conversaId, idTemporario ?? null)
  if (travada === null) throw new AppError('naoEncontrado')
  const eco = { conversaId, ...(idTemporario === undefined ? {} : { idTemporario }) }
  if (travada.repetida !== null) {
    const mensagem = await findMensagem(tx, contaId, travada.repetida, nomeOuTelefone(travada))
    if (mensagem !== null) return { mensagem, ...eco }
  }
  await exigirVez(tx, deps, envio, travada)
  // Made under the lock: the order of ids is the order of the conversation.
  const [id, em] = [deps.ids.uuid(), deps.clock.now()]
  const { texto, midia = null, modelo = null, citadaId } = envio
  const { teste } = travada
  const alvo =
    citadaId === undefined ? null : await exigirAlvo(tx, { contaId, conversaId, mensagemId: citadaId, teste })
  const extras = alvo === null ? null : { citada: { texto: alvo.texto, nossa: alvo.nossa, alvo: alvo.id } }
  const dados = { id, texto, midia, extras, operador: operador.nome, idTemporario: idTemporario ?? null }
  // Sent together; the counter, which everybody of the account waits for, is locked last.
  await Promise.all([
    insertMensagem(tx, contaId, { ...dados, modelo, conversaId, operadorId: operador.id, em, travada }),
    teste ? undefined : contarMensagem(tx, deps, contaId),
  ])
  const comum = { direcao: 'saida', origem: 'operador', erro: null, criadaEm: em.toISOString() } as const
  const estado = teste ? 'enviada' : 'pendente'
  const mensagem = toMensagem({ ...dados, ...comum, estado, simulada: teste }, nomeOuTelefone(travada))
  anunciarMensagem(tx, deps, { contaId, mensagem, travada, modelo, ...citadaDe(extras), ...eco })
  return { mensagem, ...eco }
}

/** The conversation is this operator's to answer, if need be from now on. */
export async function exigirVez(
  tx: Tx,
  deps: EnviarDeps,
  envio: Pick<EnvioDeOperador, 'contaId' | 'conversaId' | 'operador' | 'modelo'>,
  travada: Travada,
): Promise<void> {
  const { contaId, conversaId: id, operador } = envio
  if (travada.status === 'finalizada') throw new AppError('conversaFinalizada')
  if (envio.modelo === undefined) exigirJanela(deps, travada)
  if (travada.status === 'aguardando') {
    await mudar(tx, deps, { contaId, id }, tomada(deps, { contaId, id }, operador))
  } else {
    exigirMinha(travada, operador.id)
  }
}
