import * as z from 'zod/mini'
import type { Tx } from '#db/transaction.ts'
import { insertLog } from '#modules/logs/index.ts'
import type { SessionHost } from '#ports/messaging.ts'
import { naoEntregue } from './outbox.ts'
import { perderReacao } from './reacoes.ts'
import type { BotDeps } from './runtime-deps.ts'
import { MENSAGEM_FALHOU } from './textos.ts'

export interface FalhaDeMensagem {
  readonly contaId: string
  readonly mensagemId: string
  readonly erro: string
}

export async function contarFalha(
  tx: Tx,
  deps: BotDeps,
  { contaId, mensagemId, erro }: FalhaDeMensagem,
): Promise<void> {
  await insertLog(tx, deps, contaId, { tipo: 'error', mensagem: MENSAGEM_FALHOU, detalhes: { mensagemId, erro } })
}

export interface NaoEntreguesOptions {
  readonly contaId: string
  readonly canal: string
  readonly mensagemMudou: (contaId: string, mensagemId: string) => void
  readonly mensagemMarcada: (contaId: string, mensagemId: string) => void
}

const UUID = z.uuid()

export function createNaoEntregues(
  deps: BotDeps,
  { contaId, canal, mensagemMudou, mensagemMarcada }: NaoEntreguesOptions,
): Pick<SessionHost, 'naoEntregue' | 'reacaoNaoEntregue'> {
  return {
    naoEntregue: async (mensagemId, erro) => {
      if (!UUID.safeParse(mensagemId).success) return
      const mudou = await deps.db.transaction(contaId, async (tx) => {
        if (!(await naoEntregue(tx, contaId, mensagemId, erro))) return false
        await contarFalha(tx, deps, { contaId, mensagemId, erro })
        return true
      })
      if (mudou) mensagemMudou(contaId, mensagemId)
    },
    reacaoNaoEntregue: async (reacao, erro) => {
      const marcada = await deps.db.transaction(contaId, async (tx) => {
        const mensagemId = await perderReacao(tx, contaId, { ...reacao, canal })
        if (mensagemId !== null) await contarFalha(tx, deps, { contaId, mensagemId, erro })
        return mensagemId
      })
      if (marcada !== null) mensagemMarcada(contaId, marcada)
    },
  }
}
