import type { Mensagem, Midia } from '@balcao/contract/entities/mensagem'
import { contarMensagens, type LimiteDeps, registrarContagem } from '#bot/limite.ts'
import { citadaDe, type Extras } from '#bot/extras.ts'
import { nomeOuTelefone, toMensagem } from '#bot/mensagem-humana.ts'
import type { Tx } from '#db/transaction.ts'
import type { Deps } from '#deps.ts'
import type { ModeloEnviado } from '#ports/messaging.ts'
import { AppError } from '#errors.ts'
import { exigirAlvo } from './alvo.ts'
import { type Operador, tomada } from './assumir-conversa.ts'
import { mudar } from './mudar-conversa.ts'
import { anunciarMensagens, type MensagemNova } from './publicar.ts'
import { jaEnviada, recusaDeEnvio } from './recusa-de-envio.ts'
import { findMensagem } from './repository.ts'
import { insertMensagens, lockConversas, type MensagemDeOperador, type Travada } from './repository-envio.ts'

export type EnviarDeps = LimiteDeps & Pick<Deps, 'bots' | 'acontecerEm'>

export interface EnvioDeOperador {
  readonly contaId: string
  readonly conversaId: string
  /** Empty only when `midia` is set. */
  readonly texto: string
  readonly midia?: Midia
  /** Approved template. It may be sent outside the 24-hour window. `texto` is the filled text. */
  readonly modelo?: ModeloEnviado
  readonly citadaId?: string | undefined
  /** Idempotency key per operador and conversa: a repeated send returns the stored mensagem. */
  readonly idTemporario?: string | undefined
  readonly operador: Operador
}

export interface MensagemEnviada {
  readonly mensagem: Mensagem
  readonly conversaId: string
  readonly idTemporario?: string
}

export type Resultado =
  | { readonly tipo: 'enviada'; readonly enviada: MensagemEnviada }
  | { readonly tipo: 'recusada'; readonly motivo: AppError }

export async function enviarComoOperador(tx: Tx, deps: EnviarDeps, envio: EnvioDeOperador): Promise<MensagemEnviada> {
  const [resultado] = await enviarJuntas(tx, deps, envio.contaId, [envio])
  if (resultado === undefined) throw new Error('send without a result')
  if (resultado.tipo === 'recusada') throw resultado.motivo
  return resultado.enviada
}

/**
 * Sends mensagens of operadores of one conta, at most one per conversa. Stores, counts and queues them in the
 * caller's transaction and publishes them after its commit. A waiting conversa is taken first. Each mensagem is
 * refused separately, in this order: `naoEncontrado`, `conversaFinalizada`, `janelaFechada`, `conversaAssumida`
 * (with the operador), `mensagemForaDeAlcance` (invalid quote), `limiteDiario`. A mensagem already stored under the
 * same `idTemporario` is returned in its current state.
 */
export async function enviarJuntas(
  tx: Tx,
  deps: EnviarDeps,
  contaId: string,
  envios: readonly EnvioDeOperador[],
): Promise<Resultado[]> {
  const travadas = await lockConversas(tx, contaId, envios)
  const vistos: (Resultado | Aceita)[] = []
  for (const [indice, envio] of envios.entries()) vistos.push(await olhar(tx, deps, envio, travadas[indice] ?? null))
  const aceitas = vistos.filter((visto) => visto.tipo === 'aceita')
  const gravadas = await gravarTodas(tx, deps, contaId, aceitas)
  const { escritas, recusa } = gravadas ?? (await gravarAsQueCabem(tx, deps, contaId, aceitas))
  const novas = [...escritas.values()].map(({ nova }) => nova)
  if (novas.length > 0) anunciarMensagens(tx, deps, contaId, novas)
  return vistos.map((visto) => {
    if (visto.tipo !== 'aceita') return visto
    const escrita = escritas.get(visto)
    if (escrita !== undefined) {
      return { tipo: 'enviada', enviada: { mensagem: escrita.nova.mensagem, ...eco(visto.envio) } }
    }
    if (recusa === null) throw new Error('mensagem neither stored nor refused')
    return { tipo: 'recusada', motivo: recusa }
  })
}

interface Gravadas {
  readonly escritas: ReadonlyMap<Aceita, Escrita>
  readonly recusa: AppError | null
}

/**
 * Fast path: counts and stores all mensagens in one statement. Returns null and writes no row if they exceed the
 * daily limit or a conversa must be taken first.
 */
async function gravarTodas(
  tx: Tx,
  deps: EnviarDeps,
  contaId: string,
  aceitas: readonly Aceita[],
): Promise<Gravadas | null> {
  if (aceitas.length === 0 || aceitas.some(({ travada }) => travada.status === 'aguardando')) return null
  const escritas = new Map(aceitas.map((aceita) => [aceita, escrever(deps, aceita)]))
  const linhas = [...escritas.values()].map(({ linha }) => linha)
  const quantas = aceitas.filter(({ travada }) => !travada.teste).length
  const contagem = await insertMensagens(tx, contaId, linhas, { agora: deps.clock.now(), contam: quantas })
  const contadas = quantas === 0 || (await registrarContagem(tx, deps, { contaId, quantas, contagem }))
  return contadas ? { escritas, recusa: null } : null
}

async function gravarAsQueCabem(
  tx: Tx,
  deps: EnviarDeps,
  contaId: string,
  aceitas: readonly Aceita[],
): Promise<Gravadas> {
  const escritas = new Map<Aceita, Escrita>()
  // All sends of the conta wait for the counter row. Locking it after the conversas keeps that lock short.
  const contam = aceitas.filter(({ travada }) => !travada.teste).length
  const { cabem, recusa } = await contarMensagens(tx, deps, contaId, contam)
  let livres = cabem
  for (const aceita of aceitas) {
    if (recusa !== null && !aceita.travada.teste && livres-- <= 0) continue
    await tomarSeEspera(tx, deps, aceita.envio, aceita.travada)
    escritas.set(aceita, escrever(deps, aceita))
  }
  const linhas = [...escritas.values()].map(({ linha }) => linha)
  if (linhas.length > 0) await insertMensagens(tx, contaId, linhas, { agora: deps.clock.now(), contam: 0 })
  return { escritas, recusa }
}

interface Aceita {
  readonly tipo: 'aceita'
  readonly envio: EnvioDeOperador
  readonly travada: Travada
  readonly extras: Extras | null
}

const eco = ({ conversaId, idTemporario }: EnvioDeOperador) => ({
  conversaId,
  ...(idTemporario === undefined ? {} : { idTemporario }),
})

async function olhar(
  tx: Tx,
  deps: EnviarDeps,
  envio: EnvioDeOperador,
  travada: Travada | null,
): Promise<Resultado | Aceita> {
  if (travada === null) return { tipo: 'recusada', motivo: new AppError('naoEncontrado') }
  const repetida = jaEnviada(travada, envio.operador.id)
  if (repetida !== null) {
    const mensagem = await findMensagem(tx, envio.contaId, repetida, nomeOuTelefone(travada))
    if (mensagem !== null) return { tipo: 'enviada', enviada: { mensagem, ...eco(envio) } }
  }
  const motivo = recusaDe(deps, envio, travada)
  if (motivo !== null) return { tipo: 'recusada', motivo }
  try {
    return { tipo: 'aceita', envio, travada, extras: await citacao(tx, envio, travada) }
  } catch (error) {
    if (error instanceof AppError) return { tipo: 'recusada', motivo: error }
    throw error
  }
}

type AcaoDeOperador = Pick<EnvioDeOperador, 'contaId' | 'conversaId' | 'operador' | 'modelo'>

const recusaDe = (deps: EnviarDeps, { operador, modelo }: AcaoDeOperador, travada: Travada): AppError | null =>
  recusaDeEnvio(travada, { operadorId: operador.id, agora: deps.clock.now(), comModelo: modelo !== undefined })

async function citacao(tx: Tx, envio: EnvioDeOperador, { teste }: Travada): Promise<Extras | null> {
  const { contaId, conversaId, citadaId } = envio
  if (citadaId === undefined) return null
  const { id: alvo, texto, nossa } = await exigirAlvo(tx, { contaId, conversaId, mensagemId: citadaId, teste })
  return { citada: { texto, nossa, alvo } }
}

/** Takes a waiting conversa for the operador. Throws the refusal if the operador may not send to it. */
export async function exigirVez(tx: Tx, deps: EnviarDeps, acao: AcaoDeOperador, travada: Travada): Promise<void> {
  const motivo = recusaDe(deps, acao, travada)
  if (motivo !== null) throw motivo
  await tomarSeEspera(tx, deps, acao, travada)
}

async function tomarSeEspera(tx: Tx, deps: EnviarDeps, acao: AcaoDeOperador, travada: Travada): Promise<void> {
  if (travada.status !== 'aguardando') return
  const alvo = { contaId: acao.contaId, id: acao.conversaId }
  await mudar(tx, deps, alvo, tomada(deps, alvo, acao.operador))
}

interface Escrita {
  readonly linha: MensagemDeOperador
  readonly nova: MensagemNova
}

function escrever(deps: EnviarDeps, { envio, travada, extras }: Aceita): Escrita {
  const { conversaId, operador, texto, midia = null, modelo = null, idTemporario } = envio
  // The id is created under the lock, so ids follow the order of the conversa.
  const [id, em] = [deps.ids.uuid(), deps.clock.now()]
  const dados = { id, texto, midia, extras, operador: operador.nome, idTemporario: idTemporario ?? null }
  const comum = { direcao: 'saida', origem: 'operador', erro: null, criadaEm: em.toISOString() } as const
  const estado = travada.teste ? 'enviada' : 'pendente'
  const mensagem = toMensagem({ ...dados, ...comum, estado, simulada: travada.teste }, nomeOuTelefone(travada))
  return {
    linha: { ...dados, modelo, conversaId, operadorId: operador.id, em, travada },
    nova: { mensagem, travada, modelo, ...citadaDe(extras), ...eco(envio) },
  }
}
