import { fala } from '@balcao/engine/effect'
import type { Tx } from '#db/transaction.ts'
import { holdSetorVigente } from '#modules/configuracao/index.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { Decisao } from './decisao.ts'
import { decidir, type Entrega } from './decidir.ts'
import { diaLocal } from './dia.ts'
import type { Esgotadas } from './esgotadas.ts'
import {
  alocarProtocolo,
  encerrarExpiradas,
  gravarCitacoes,
  gravarEfeitos,
  mudarConversas,
} from './gravar-registros.ts'
import { type Alvo, travarContatos } from './hot-read.ts'
import { gravarMensagens, type Uso } from './hot-write.ts'
import { registrarLimite, vagaNoDia } from './limite.ts'
import type { Item } from './localizar-contatos.ts'
import type { BotDeps } from './runtime-deps.ts'
import { NAO_RESPONDIDA } from './textos.ts'

export interface Modo {
  /** Reads the remaining messages under the counter's lock, instead of failing when the batch does not fit. */
  readonly contar: boolean
  readonly mudo: boolean
}

export const NORMAL: Modo = { contar: false, mudo: false }

export interface Gravacao {
  /** In order, without repeated messages. */
  readonly decisoes: readonly Decisao[]
  readonly usos: Promise<Uso[]>
}

/** The contato was erased or merged between the lookup and the lock. */
export class ContatoSumiu extends Error {
  constructor() {
    super('contato erased or merged during the batch')
  }
}

/**
 * Locks the contatos, runs the engine for every turn and writes the results in the caller's transaction. Throws
 * `ContatoSumiu`, `LimiteAtingido` (unless `modo.contar`) and `MotorFalhou` (unless `modo.mudo`); the caller must
 * then roll back. `usos` may still be pending: it is sent ahead of the COMMIT, which fails with it.
 */
export type GravarLote = (tx: Tx, itens: readonly Item[], modo: Modo) => Promise<Gravacao>

export function createGravarLote(deps: BotDeps, esgotadas: Esgotadas): GravarLote {
  const decidirTodos = async (tx: Tx, itens: readonly Item[], modo: Modo): Promise<Decisao[]> => {
    const travados = await travarContatos(tx, itens.map(toAlvo))
    const agora = deps.clock.now()
    const decisoes: Decisao[] = []
    for (const [indice, { turno, contexto }] of itens.entries()) {
      const contato = travados[indice] ?? null
      if (contato === null) throw new ContatoSumiu()
      if (contato.repetida) continue
      const { contaId, fuso } = contexto
      const dia = diaLocal(agora, fuso)
      const vaga = modo.contar ? await vagaNoDia(tx, contaId, dia) : esgotadas.vaga(contaId)
      const { mudo } = modo
      const entregar = async (pedido: string): Promise<Entrega> => ({
        // The setor first: it may wait for a configuration that is being saved, and the protocol counter locks the
        // whole conta.
        setor: await holdSetorVigente(tx, deps, contaId, pedido),
        protocolo: await alocarProtocolo(tx, contaId, dia),
      })
      decisoes.push(await decidir({ turno, contato, contexto, agora, dia, uuid: deps.ids.uuid, vaga, mudo, entregar }))
    }
    return decisoes
  }

  const anotarLimite = async (tx: Tx, decisoes: readonly Decisao[]): Promise<void> => {
    for (const { contaId, mensagens, dia } of decisoes) {
      if (!mensagens.some(({ estado }) => estado === 'limite')) continue
      await registrarLimite(tx, deps, contaId, dia)
      esgotadas.lembrar(contaId)
    }
  }

  return async (tx, itens, modo) => {
    const decisoes = await decidirTodos(tx, itens, modo)
    if (decisoes.length === 0) return { decisoes, usos: Promise.resolve([]) }
    await encerrarExpiradas(tx, decisoes)
    // Sent on one connection without waiting, perhaps with the COMMIT behind them. The first error aborts the
    // transaction.
    const usos = Promise.all([gravarMensagens(tx, decisoes), mudarConversas(tx, decisoes)]).then(([lidos]) => lidos)
    // Prevents an unhandled rejection. The caller awaits `usos` again.
    usos.catch(() => undefined)
    if (modo !== NORMAL || decisoes.some(temRegistros)) {
      await usos
      await gravarCitacoes(tx, decisoes)
      await gravarEfeitos(tx, deps, decisoes)
      if (modo.contar) await anotarLimite(tx, decisoes)
      if (modo.mudo) for (const { contaId } of decisoes) await insertLog(tx, deps, contaId, NAO_RESPONDIDA)
    }
    for (const { turno } of decisoes) if (turno.tipo === 'mensagem') deps.falha('entrada.antes-commit')
    deps.falha('resposta.antes-commit')
    return { decisoes, usos }
  }
}

function temRegistros({ efeitos, turno, mensagens }: Decisao): boolean {
  if (mensagens.some(({ extras }) => extras !== undefined)) return true
  if (turno.tipo === 'evento' && turno.respondida !== undefined) return true
  return efeitos.some((efeito) => !fala(efeito))
}

function toAlvo({ turno, contexto, contatoId }: Item): Alvo {
  const comum = { contaId: contexto.contaId, contatoId }
  if (turno.tipo === 'evento') return { ...comum, canal: null, idExterno: null }
  return { ...comum, canal: turno.canal, idExterno: turno.mensagem.id }
}
