import { ordenarProdutosRoute } from '@balcao/contract/routes/produtos'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { withMovedProduto, refetchCatalog, cachedCatalog, updateCatalog } from '#features/loja/produtos.ts'
import { call } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import type { Catalog } from '#shared/data/produtos.ts'

interface OrderQueue {
  busy: boolean
  /** Latest unsent order. Orders between two requests are skipped. */
  next: Catalog | null
}

/** Saves the latest order until none waits. A failure drops the waiting order and calls `onFail` with the stored one. */
async function sendOrders(
  queue: OrderQueue,
  before: Catalog,
  onFail: (stored: Catalog, error: unknown) => void,
): Promise<void> {
  queue.busy = true
  let stored = before
  while (queue.next !== null) {
    const sent = queue.next
    queue.next = null
    try {
      await call(ordenarProdutosRoute, { body: { produtos: sent.map(({ id, ordem }) => ({ id, ordem })) } })
      stored = sent
    } catch (error) {
      queue.next = null
      onFail(stored, error)
    }
  }
  queue.busy = false
}

function restoreOrder(client: QueryClient, stored: Catalog): void {
  const place = new Map(stored.map(({ id, ordem }) => [id, ordem]))
  updateCatalog(client, (current) =>
    current
      .map((produto) => ({ ...produto, ordem: place.get(produto.id) ?? produto.ordem }))
      .toSorted((a, b) => a.ordem - b.ordem),
  )
}

/** The last move. Repeated moves of one product share one notice and one undo to the start position. */
interface LastMove {
  readonly id: string
  readonly from: number
  readonly aviso: string
}

export function useProdutoOrder() {
  const client = useQueryClient()
  const queue = useRef<OrderQueue>({ busy: false, next: null })
  const last = useRef<LastMove | null>(null)
  const [announcement, setAnnouncement] = useState('')

  const fail = (stored: Catalog, error: unknown): void => {
    if (last.current !== null) dismissAviso(last.current.aviso)
    last.current = null
    restoreOrder(client, stored)
    setAnnouncement('A ordem voltou a ser a de antes')
    notify.erro(errorMessage(error))
    refetchCatalog(client)
  }
  /** Returns the previous index, or null if nothing moved. */
  const place = (id: string, to: number): number | null => {
    const before = cachedCatalog(client)
    const from = before.findIndex((produto) => produto.id === id)
    if (from < 0 || from === to || before[to] === undefined) return null
    const after = withMovedProduto(before, id, to)
    updateCatalog(client, () => after)
    queue.current.next = after
    if (!queue.current.busy) void sendOrders(queue.current, before, fail)
    return from
  }
  const undo = (id: string, name: string, from: number): void => {
    last.current = null
    const to = Math.min(from, cachedCatalog(client).length - 1)
    if (place(id, to) !== null) setAnnouncement(`${name} voltou para a posição ${to + 1}`)
  }

  return {
    announcement,
    /** `to` is an index in the whole catalogue, from 0. */
    move: (id: string, to: number): void => {
      const left = place(id, to)
      const catalog = cachedCatalog(client)
      const name = catalog[to]?.nome
      if (left === null || name === undefined) return
      const previous = last.current
      if (previous !== null) dismissAviso(previous.aviso)
      const from = previous?.id === id ? previous.from : left
      const sentence = `${name} movido para a posição ${to + 1} de ${catalog.length}`
      setAnnouncement(sentence)
      const aviso = notify.sucesso(sentence, { action: { label: 'Desfazer', run: () => undo(id, name, from) } })
      last.current = { id, from, aviso }
    },
  }
}
