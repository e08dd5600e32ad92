import type { Tx } from '#db/transaction.ts'
import type { Contexto, Contextos } from './contextos.ts'
import type { Decisao } from './decisao.ts'
import { MotorFalhou } from './decidir.ts'
import { createEsgotadas } from './esgotadas.ts'
import { ContatoSumiu, createGravarLote, type Gravacao, type Modo, NORMAL } from './gravar-lote.ts'
import { LimiteAtingido, type Uso } from './hot-write.ts'
import { avisarMarcas } from './limite.ts'
import { createLocalizador, type Pronto } from './localizar-contatos.ts'
import type { BotDeps } from './runtime-deps.ts'
import type { TurnoBot, TurnoEvento } from './turno.ts'

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

/** Batch → transaction → commit → effects, and what to try again how (docs/architecture.md, "A customer's message"). */
export function createHandler(deps: BotDeps, { contextos, aposCommit }: HandlerOptions): Handler {
  const { log, falha } = deps
  const { localizar, esquecer } = createLocalizador(deps.ids)
  const esgotadas = createEsgotadas()
  const gravarLote = createGravarLote(deps, esgotadas)

  const confirmar = async (prontos: readonly Pronto[], modo: Modo): Promise<Confirmacao> => {
    const contas = [...new Set(prontos.map(({ contexto }) => contexto.contaId))]
    let usos: Promise<Uso[]> | undefined
    const gravar = async (tx: Tx): Promise<Confirmacao> => {
      const { itens, adiados } = await localizar(tx, prontos)
      const gravacao = await gravarLote(tx, itens, modo)
      ;({ usos } = gravacao)
      return { ...gravacao, adiados }
    }
    try {
      return await deps.db.transaction(contas, gravar, 'indices')
    } catch (error) {
      // The statement's own error says more than that of the COMMIT behind it.
      await usos
      throw error
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

  /** What the batch refused is done one by one, so that nothing is held up by a neighbour. */
  const tentarUm = async (pronto: Pronto, modo: Modo = NORMAL, restam = 3): Promise<void> => {
    try {
      await tentar([pronto], modo)
    } catch (error) {
      // Whoever was erased a moment ago and writes is a new customer.
      if (error instanceof ContatoSumiu) esquecer(pronto.turno.chave)
      const proximo = restam > 0 ? outroModo(error, modo, pronto.turno) : null
      if (proximo !== null) return tentarUm(pronto, proximo, restam - 1)
      log.error({ err: error, contaId: pronto.turno.contaId }, 'a message could not be stored')
      esquecer(pronto.turno.chave)
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
      const { decisoes } = await gravarLote(tx, [{ turno, contexto, contatoId }], { contar: true, mudo: false })
      tx.afterCommit(() => aposCommit(decisoes))
    },
    contextoMudou: esgotadas.esquecer,
    esquecerEndereco: esquecer,
  }
}

interface Confirmacao extends Gravacao {
  readonly adiados: readonly TurnoBot[]
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
