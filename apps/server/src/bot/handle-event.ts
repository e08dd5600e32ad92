import { fala } from '@balcao/engine/effect'
import type { Tx } from '#db/transaction.ts'
import { insertLog } from '#modules/logs/index.ts'
import { chaveDoEndereco, garantirContatos, type NovoContato } from './contatos.ts'
import type { Contexto, Contextos } from './contextos.ts'
import type { Decisao } from './decisao.ts'
import { decidir, MotorFalhou } from './decidir.ts'
import { diaLocal } from './dia.ts'
import { createEsgotadas } from './esgotadas.ts'
import {
  alocarProtocolo,
  encerrarExpiradas,
  gravarCitacoes,
  gravarEfeitos,
  mudarConversas,
} from './gravar-registros.ts'
import { type Alvo, travarContatos } from './hot-read.ts'
import { gravarMensagens, LimiteAtingido, type Uso } from './hot-write.ts'
import { avisarMarcas, registrarLimite, vagaNoDia } from './limite.ts'
import { Lru } from './lru.ts'
import type { BotDeps } from './runtime-deps.ts'
import { NAO_RESPONDIDA } from './textos.ts'
import type { TurnoBot, TurnoEvento } from './turno.ts'

const CONTATOS_LEMBRADOS = 200_000

/** A turn with its account's context: what is known before its transaction. */
export interface Pronto {
  readonly turno: TurnoBot
  readonly contexto: Contexto
}

/** The same with its contact, found or made inside the transaction. */
export interface Item extends Pronto {
  readonly contatoId: string
}

/** How one try treats the limit and the engine. */
interface Modo {
  /** Ask the counter under its lock how much fits, instead of being refused. */
  readonly contar: boolean
  /** Store the message and stay silent: the engine failed on it. */
  readonly mudo: boolean
}

const NORMAL: Modo = { contar: false, mudo: false }

/** `usos` may still be on its way: the COMMIT travels behind it, and fails when it fails. */
interface Gravacao {
  readonly decisoes: readonly Decisao[]
  readonly usos: Promise<Uso[]>
}

export interface HandlerOptions {
  readonly contextos: Contextos
  /** After each commit, in order; `decisoes` leaves out what was a repetition. */
  readonly aposCommit: (decisoes: readonly Decisao[]) => void
}

export interface Handler {
  /** One batch of different keys. Settles every turn; gives back those whose contact was in the batch already. */
  readonly processar: (lote: readonly TurnoBot[]) => Promise<readonly TurnoBot[]>
  /** One event inside the caller's transaction; what it says leaves after that commit. */
  readonly acontecerEm: (tx: Tx, contaId: string, contatoId: string, evento: TurnoEvento['evento']) => Promise<void>
  readonly contextoMudou: (contaId: string) => void
  /** This address (`chaveDoEndereco`) may lead to another contact than it did. */
  readonly esquecerEndereco: (chave: string) => void
}

/** Between finding the contact and locking it, somebody erased it or joined it to another. */
class ContatoSumiu extends Error {
  constructor() {
    super('the contact is gone')
  }
}

/** Batch → transaction → commit → effects (architecture §4 "A customer's message"). */
export function createHandler(deps: BotDeps, { contextos, aposCommit }: HandlerOptions): Handler {
  const { db, log, falha } = deps
  const contatos = new Lru<string>(CONTATOS_LEMBRADOS)
  const esgotadas = createEsgotadas()

  const gravar = async (tx: Tx, itens: readonly Item[], modo: Modo): Promise<Gravacao> => {
    const travados = await travarContatos(tx, itens.map(toAlvo))
    const decisoes: Decisao[] = []
    const agora = deps.clock.now()
    for (const [indice, { turno, contexto }] of itens.entries()) {
      const contato = travados[indice] ?? null
      if (contato === null) throw new ContatoSumiu()
      if (contato.repetida) continue
      const dia = diaLocal(agora, contexto.fuso)
      const { contaId } = contexto
      const vaga = modo.contar ? await vagaNoDia(tx, contaId, dia) : esgotadas.vaga(contaId)
      const protocolo = (): Promise<string> => alocarProtocolo(tx, contaId, dia)
      decisoes.push(
        await decidir({ turno, contato, contexto, agora, dia, uuid: deps.ids.uuid, vaga, mudo: modo.mudo, protocolo }),
      )
    }
    if (decisoes.length === 0) return { decisoes, usos: Promise.resolve([]) }
    await encerrarExpiradas(tx, decisoes)
    // One behind the other on the same line, and behind them perhaps the COMMIT: the first that fails undoes them all.
    const usos = Promise.all([gravarMensagens(tx, decisoes), mudarConversas(tx, decisoes)]).then(([lidos]) => lidos)
    // Whoever needs the outcome looks at it again; here it must only not count as unhandled.
    usos.catch(() => undefined)
    if (modo !== NORMAL || decisoes.some(temRegistros)) {
      await usos
      await gravarCitacoes(tx, decisoes)
      await gravarEfeitos(tx, deps, decisoes)
      if (modo.contar) await anotarLimite(tx, decisoes)
      if (modo.mudo) for (const { contaId } of decisoes) await insertLog(tx, deps, contaId, NAO_RESPONDIDA)
    }
    for (const { turno } of decisoes) if (turno.tipo === 'mensagem') falha('entrada.antes-commit')
    falha('resposta.antes-commit')
    return { decisoes, usos }
  }

  const anotarLimite = async (tx: Tx, decisoes: readonly Decisao[]): Promise<void> => {
    for (const { contaId, mensagens, dia } of decisoes) {
      if (!mensagens.some(({ estado }) => estado === 'limite')) continue
      await registrarLimite(tx, deps, contaId, dia)
      esgotadas.lembrar(contaId)
    }
  }

  /** One transaction. Gives back the turns whose contact another turn of the batch speaks for. */
  const tentar = async (prontos: readonly Pronto[], modo: Modo): Promise<readonly TurnoBot[]> => {
    const { decisoes, usos, adiados } = await confirmar(prontos, modo)
    const feitos = prontos.filter(({ turno }) => !adiados.includes(turno))
    for (const { turno } of feitos) if (turno.tipo === 'mensagem') falha('entrada.apos-commit')
    for (const { turno } of feitos) turno.resolver()
    if (decisoes.length > 0) aposCommit(decisoes)
    avisarMarcas(deps, await usos).catch((error: unknown) =>
      log.warn({ err: error }, 'an owner was not told of the limit'),
    )
    return adiados
  }

  const confirmar = async (prontos: readonly Pronto[], modo: Modo): Promise<Gravacao & { adiados: TurnoBot[] }> => {
    const contas = [...new Set(prontos.map(({ contexto }) => contexto.contaId))]
    let usos: Promise<Uso[]> | undefined
    try {
      return await db.transaction(
        contas,
        async (tx) => {
          const achados = await localizar(tx, prontos)
          const { itens, adiados } = separar(prontos, achados)
          const gravacao = await gravar(tx, itens, modo)
          ;({ usos } = gravacao)
          tx.afterCommit(() => achados.forEach((id, chave) => contatos.set(chave, id)))
          return { ...gravacao, adiados }
        },
        'indices',
      )
    } catch (error) {
      // The statement's own error says more than that of the COMMIT behind it.
      await usos
      throw error
    }
  }

  /** What the batch refused is done one by one, so that nothing is held up by a neighbour. */
  const tentarUm = async (pronto: Pronto, modo: Modo = NORMAL, restam = 3): Promise<void> => {
    try {
      await tentar([pronto], modo)
    } catch (error) {
      // Whoever was erased a moment ago and writes is a new customer.
      if (error instanceof ContatoSumiu) contatos.delete(pronto.turno.chave)
      const proximo = restam > 0 ? outroModo(error, modo, pronto.turno) : null
      if (proximo !== null) return tentarUm(pronto, proximo, restam - 1)
      log.error({ err: error, contaId: pronto.turno.contaId }, 'a message could not be stored')
      contatos.delete(pronto.turno.chave)
      pronto.turno.rejeitar(error)
    }
  }

  const tentarLote = async (prontos: readonly Pronto[]): Promise<readonly TurnoBot[]> => {
    if (prontos.length === 0) return []
    const [unico, ...outros] = prontos
    if (unico !== undefined && outros.length === 0) {
      await tentarUm(unico)
      return []
    }
    try {
      return await tentar(prontos, NORMAL)
    } catch (error) {
      const limitadas = new Set(error instanceof LimiteAtingido ? error.contas : [])
      if (limitadas.size === 0) log.warn({ err: error, mensagens: prontos.length }, 'a batch failed: trying one by one')
      const sozinhos = prontos.filter(({ contexto }) => limitadas.size === 0 || limitadas.has(contexto.contaId))
      const adiados = await tentarLote(prontos.filter((pronto) => !sozinhos.includes(pronto)))
      for (const pronto of sozinhos) await tentarUm(pronto)
      return adiados
    }
  }

  /** Contact ids of the batch's addresses that this node does not remember, found or made now. */
  const localizar = async (tx: Tx, prontos: readonly Pronto[]): Promise<Map<string, string>> => {
    const achados = new Map<string, string>()
    let faltam = prontos.flatMap(toNovoContato).filter((novo) => contatos.get(chaveDe(novo)) === undefined)
    faltam = faltam.toSorted((a, b) => (chaveDe(a) < chaveDe(b) ? -1 : 1))
    for (let vez = 0; faltam.length > 0 && vez < 3; vez += 1) {
      for (const [chave, id] of await garantirContatos(tx, faltam)) achados.set(chave, id)
      faltam = faltam.filter((novo) => !achados.has(chaveDe(novo)))
    }
    return achados
  }

  const toNovoContato = ({ turno }: Pronto): NovoContato[] => {
    if (turno.tipo === 'evento') return []
    const { mensagem, contaId, canonico } = turno
    const telefone = canonico.startsWith('tel:') ? canonico.slice(4) : ''
    const nome = mensagem.deMim === true ? '' : mensagem.nome
    return [{ contaId, canonico, id: deps.ids.uuid(), nome, telefone, endereco: mensagem.endereco }]
  }

  const separar = (
    prontos: readonly Pronto[],
    achados: Map<string, string>,
  ): { itens: Item[]; adiados: TurnoBot[] } => {
    const itens = new Map<string, Item>()
    const adiados: TurnoBot[] = []
    for (const { turno, contexto } of prontos) {
      const contatoId =
        turno.tipo === 'evento' ? turno.contatoId : (contatos.get(turno.chave) ?? achados.get(turno.chave))
      if (contatoId === undefined) throw new Error('a contact could not be made')
      // Two addresses of one contact: its second turn must see what the first leaves.
      if (itens.has(contatoId)) adiados.push(turno)
      else itens.set(contatoId, { turno, contexto, contatoId })
    }
    return { itens: [...itens.values()].toSorted(porConta), adiados }
  }

  const contextoDe = async (turno: TurnoBot): Promise<Contexto | null> => {
    try {
      return await contextos.get(turno.contaId)
    } catch (error) {
      turno.rejeitar(error)
      return null
    }
  }

  return {
    processar: async (lote) => {
      const prontos: Pronto[] = []
      for (const turno of lote) {
        const contexto = contextos.peek(turno.contaId) ?? (await contextoDe(turno))
        if (contexto !== null) prontos.push({ turno, contexto })
      }
      return tentarLote(prontos)
    },
    acontecerEm: async (tx, contaId, contatoId, evento) => {
      const contexto = await contextos.getEm(tx, contaId)
      const nada = (): void => {}
      const turno = { tipo: 'evento', chave: '', contaId, contatoId, evento, resolver: nada, rejeitar: nada } as const
      const { decisoes } = await gravar(tx, [{ turno, contexto, contatoId }], { contar: true, mudo: false })
      tx.afterCommit(() => aposCommit(decisoes))
    },
    contextoMudou: esgotadas.esquecer,
    esquecerEndereco: (chave) => contatos.delete(chave),
  }
}

/** Whether a decision writes more than messages, states, counters and what became of conversations. */
function temRegistros({ efeitos, turno, mensagens }: Decisao): boolean {
  if (mensagens.some(({ extras }) => extras !== undefined)) return true
  if (turno.tipo === 'evento' && turno.respondida !== undefined) return true
  return efeitos.some((efeito) => !fala(efeito))
}

function chaveDe({ contaId, canonico }: NovoContato): string {
  return chaveDoEndereco(contaId, canonico)
}

function toAlvo({ turno, contexto, contatoId }: Item): Alvo {
  const comum = { contaId: contexto.contaId, contatoId }
  if (turno.tipo === 'evento') return { ...comum, canal: null, idExterno: null }
  return { ...comum, canal: turno.canal, idExterno: turno.mensagem.id }
}

/** Every transaction takes its locks in this order. */
function porConta(a: Item, b: Item): number {
  const x = a.contexto.contaId + a.contatoId
  const y = b.contexto.contaId + b.contatoId
  return x < y ? -1 : x > y ? 1 : 0
}

/**
 * Worth the same try again: an id that just came in under another address (next time it is seen as a repetition), a
 * deadlock, a serialization failure.
 */
const REPETIVEIS = new Set(['23505', '40P01', '40001'])

/** How to try a message again after this error, or null when trying again cannot help. */
function outroModo(error: unknown, modo: Modo, { tipo }: TurnoBot): Modo | null {
  if (error instanceof ContatoSumiu) return tipo === 'mensagem' ? modo : null
  if (error instanceof LimiteAtingido) return modo.contar ? null : { ...modo, contar: true }
  // The engine stumbled over this message: it is kept, and nobody waits behind it.
  if (error instanceof MotorFalhou) return { ...modo, mudo: true }
  return error instanceof Error && 'code' in error && REPETIVEIS.has(String(error.code)) ? modo : null
}
