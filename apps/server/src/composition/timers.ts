import type { Deps } from '#deps.ts'
import { sendDueAgendadas } from '#modules/agendadas/index.ts'
import {
  closeRowsOfDeadNodes,
  releaseOfflinePeople,
  releaseSilentPeople,
  serveQueue,
} from '#modules/distribuicao/index.ts'
import { runSilenceTimers } from '#modules/inatividade/index.ts'
import { endReminders } from '#modules/leituras/index.ts'
import { sendDueFarewells } from '#modules/despedidas/index.ts'
import { printDueTickets, remindDueCarts } from '#modules/pedidos/index.ts'
import { DueWork } from '#modules/prazos/index.ts'
import { sendDueSummary } from '#modules/resumo/index.ts'
import { Transcriber } from '#modules/transcricoes/index.ts'

export function createDueWork(deps: Deps, pollMs?: number): { dueWork: DueWork; transcriber: Transcriber } {
  const queue = (contaId: string): Promise<void> => serveQueue(deps, contaId)
  const scheduled = (contaId: string): Promise<void> => sendDueAgendadas(deps, contaId)
  const transcriber = new Transcriber(deps)
  const dueWork = new DueWork(
    deps,
    {
      no: () => deps.db.transaction('*', (tx) => closeRowsOfDeadNodes(tx, { now: deps.clock.now() })),
      saiu: (contaId) => releaseOfflinePeople(deps, contaId).then(() => queue(contaId)),
      resposta: (contaId) => releaseSilentPeople(deps, contaId).then(() => queue(contaId)),
      fila: queue,
      ...{ respondeu: scheduled, agendada: scheduled },
      silencio: (contaId) => runSilenceTimers(deps, contaId),
      lembrete: (contaId) => endReminders(deps, contaId),
      despedida: (contaId) => sendDueFarewells(deps, contaId),
      resumo: (contaId) => sendDueSummary(deps, contaId),
      carrinho: (contaId) => remindDueCarts(deps, contaId),
      transcricao: (contaId) => transcriber.begin(contaId),
      fonte: () => Promise.resolve(deps.fontesQueued()),
      impressao: (contaId) => printDueTickets(deps, contaId),
    },
    pollMs,
  )
  return { dueWork, transcriber }
}
