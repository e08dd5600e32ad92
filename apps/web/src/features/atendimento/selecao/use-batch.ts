import type { BodyOf } from '@balcao/contract/define-route'
import type { Conversa } from '@balcao/contract/entities/conversa'
import type { Lote } from '@balcao/contract/entities/lote'
import { desfazerConversaRoute } from '@balcao/contract/routes/atendimento-acts'
import { loteRoute } from '@balcao/contract/routes/lote'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  isAnsweredByPerson,
  type FinishChoice,
  finishBody,
  transferBody,
  UNDO_S,
} from '#features/atendimento/acoes/act-bodies.ts'
import { cacheOpened } from '#features/atendimento/acoes/opened-conversa.ts'
import type { TransferDestination } from '#features/atendimento/acoes/transfer-dialog.tsx'
import { removeConversas, showEtiquetas } from '#features/atendimento/lista/conversa-cache.ts'
import { changeMarks } from '#features/atendimento/lista/reading.ts'
import { call } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { refusedCounts } from '#shared/data/batch-result.ts'
import { storeAnswer } from '#shared/data/conversas/known-conversas.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { formatDateTime } from '#shared/format.ts'
import type { EtiquetaChange } from '#shared/selection/etiqueta-choice.tsx'
import type { RowSelection } from '#shared/selection/use-row-selection.ts'

type LoteBody = BodyOf<typeof loteRoute>

interface Batch {
  /** More than one only where the same act differs between the conversas. */
  readonly bodies: readonly LoteBody[]
  readonly done: (client: QueryClient, feitas: readonly string[]) => void
  readonly said: (count: number) => string
  readonly undoable?: boolean
}

export const countConversas = (count: number): string => (count === 1 ? '1 conversa' : `${count} conversas`)

/** Long enough to read the reasons. */
const REFUSED_MS = 8_000

const idsOf = (conversas: readonly Conversa[]): string[] => conversas.map(({ id }) => id)

async function undo(client: QueryClient, ids: readonly string[]): Promise<void> {
  const settled = await Promise.allSettled(
    ids.map((id) =>
      storeAnswer(
        () => call(desfazerConversaRoute, { params: { id } }),
        ({ conversa }) => cacheOpened(client, conversa),
      ),
    ),
  )
  const failures = settled.flatMap((one) => (one.status === 'rejected' ? [errorMessage(one.reason)] : []))
  const [first] = failures
  if (first !== undefined) notify.erro(`Não foi desfeito em ${countConversas(failures.length)}: ${first}`)
}

function report(client: QueryClient, lote: Lote, { done, said, undoable = false }: Batch): void {
  const { feitas, recusadas } = lote
  if (feitas.length > 0) {
    done(client, feitas)
    const action = { label: 'Desfazer', run: () => void undo(client, feitas) }
    notify.sucesso(said(feitas.length), undoable ? { action, durationMs: UNDO_S * 1_000 } : {})
  }
  if (recusadas.length === 0) return
  notify.erro(refusedCounts(lote), { durationMs: REFUSED_MS })
  void client.invalidateQueries({ queryKey: QUERY_KEYS.conversas })
}

/** Sends the act for all chosen conversas. The refused ones stay chosen. */
export function useBatch(rows: RowSelection) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const run = async (batch: Batch): Promise<void> => {
    if (busy) return
    setBusy(true)
    const settled = await Promise.allSettled(batch.bodies.map((body) => call(loteRoute, { body })))
    const lotes = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    const feitas = lotes.flatMap((lote) => lote.feitas)
    const failure = settled.find((one) => one.status === 'rejected')
    report(client, { feitas, recusadas: lotes.flatMap((lote) => lote.recusadas) }, batch)
    if (failure !== undefined) notify.erro(`As conversas não mudaram: ${errorMessage(failure.reason)}`)
    rows.drop(feitas)
    setBusy(false)
  }
  return run
}

export function tagBatch(
  conversas: readonly Conversa[],
  { nome, adicionar = [], remover = [] }: EtiquetaChange,
): Batch {
  const byId = new Map(conversas.map((conversa) => [conversa.id, conversa]))
  return {
    bodies: [{ ato: 'etiquetar', conversaIds: idsOf(conversas), adicionar, remover }],
    done: (client, feitas) => {
      for (const id of feitas) {
        const { contatoId, etiquetas = [] } = byId.get(id) ?? {}
        const kept = etiquetas.filter((one) => !remover.includes(one) && !adicionar.includes(one))
        if (contatoId !== undefined) showEtiquetas(client, contatoId, [...kept, ...adicionar])
      }
    },
    said: (count) => `${nome} ${remover.length > 0 ? 'saiu de' : 'está em'} ${countConversas(count)}.`,
  }
}

export function transferBatch(conversas: readonly Conversa[], destination: TransferDestination): Batch {
  const { setor, atendente } = destination
  const target = atendente === null ? `o setor ${setor?.nome ?? ''}` : atendente.nome
  return {
    bodies: [{ ato: 'transferir', conversaIds: idsOf(conversas), ...transferBody(destination) }],
    // The list follows by the events.
    done: () => undefined,
    said: (count) => `${countConversas(count)} ${count === 1 ? 'foi' : 'foram'} para ${target}.`,
    undoable: true,
  }
}

/** A conversa without a message of a person is finished without a rating, so two kinds need two requests. */
export function finishBatch(conversas: readonly Conversa[], how: FinishChoice): Batch {
  const unrated = how === 'completo' ? conversas.filter((conversa) => !isAnsweredByPerson(conversa)) : []
  const rest = conversas.filter((conversa) => !unrated.includes(conversa))
  const bodyOf = (some: readonly Conversa[], choice: FinishChoice): LoteBody[] =>
    some.length === 0 ? [] : [{ ato: 'finalizar', conversaIds: idsOf(some), ...finishBody(choice) }]
  return {
    bodies: [...bodyOf(rest, how), ...bodyOf(unrated, 'semAvaliacao')],
    done: removeConversas,
    said: (count) => `${countConversas(count)} ${count === 1 ? 'finalizada' : 'finalizadas'}.`,
    undoable: true,
  }
}

export function readBatch(conversas: readonly Conversa[]): Batch {
  return {
    bodies: [{ ato: 'leitura', conversaIds: idsOf(conversas) }],
    done: (client, feitas) => {
      for (const id of feitas) changeMarks(client, id, { naoLidas: 0, marcada: false })
    },
    said: (count) => `${countConversas(count)} ${count === 1 ? 'marcada como lida' : 'marcadas como lidas'}.`,
  }
}

export function remindBatch(conversas: readonly Conversa[], em: string): Batch {
  return {
    bodies: [{ ato: 'lembrar', conversaIds: idsOf(conversas), em }],
    done: (client, feitas) => {
      for (const id of feitas) changeMarks(client, id, { lembrarEm: em })
    },
    said: (count) => `Você será lembrado de ${countConversas(count)} em ${formatDateTime(em)}.`,
  }
}
