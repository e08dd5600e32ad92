import type { Produto } from '@balcao/contract/entities/produto'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import type { Catalog } from '#shared/data/produtos.ts'
import { QUERY_KEYS } from '#shared/data/query-keys.ts'
import { atualizarProdutoRoute, excluirProdutoRoute, ordenarProdutosRoute } from '@balcao/contract/routes/produtos'
import { useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'

function cachedCatalog(client: QueryClient): Catalog {
  return client.getQueryData<Catalog>(QUERY_KEYS.produtos) ?? []
}

/** Optimistic update. Cancels fetches in flight, whose answers would be older. */
export function updateCatalog(client: QueryClient, update: (current: Catalog) => Catalog): void {
  void client.cancelQueries({ queryKey: QUERY_KEYS.produtos })
  client.setQueryData<Catalog>(QUERY_KEYS.produtos, (current) => (current === undefined ? undefined : update(current)))
}

export function refetchCatalog(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: QUERY_KEYS.produtos })
}

export function withChangedProduto(catalog: Catalog, id: string, fields: Partial<Produto>): Catalog {
  return catalog.map((produto) => (produto.id === id ? { ...produto, ...fields } : produto))
}

function withMovedProduto(catalog: Catalog, id: string, to: number): Catalog {
  const de = catalog.findIndex((produto) => produto.id === id)
  const moved = catalog[de]
  if (moved === undefined) return catalog
  return catalog
    .toSpliced(de, 1)
    .toSpliced(to, 0, moved)
    .map((produto, ordem) => (produto.ordem === ordem ? produto : { ...produto, ordem }))
}

interface ProdutoChange {
  readonly shown: Partial<Produto>
  readonly taken: Partial<Produto>
  readonly save: readonly [field: 'ativo' | 'pausadoAte', value: string]
}

export function useProdutoActions() {
  const client = useQueryClient()
  // Requests per product run in sequence, so the last click wins.
  const queues = useRef(new Map<string, Promise<unknown>>())

  const saveField = (id: string, field: 'ativo' | 'pausadoAte', value: string): Promise<unknown> => {
    const form = new FormData()
    form.set(field, value)
    const before = queues.current.get(id) ?? Promise.resolve()
    const now = before.catch(() => undefined).then(() => call(atualizarProdutoRoute, { params: { id }, form }))
    queues.current.set(id, now)
    return now
  }

  /** Shows the change immediately. A refused one is taken back with the reason. */
  const change = async ({ id }: Produto, { shown, taken, save }: ProdutoChange, aviso: () => void): Promise<void> => {
    updateCatalog(client, (current) => withChangedProduto(current, id, shown))
    try {
      await saveField(id, ...save)
      aviso()
    } catch (error) {
      updateCatalog(client, (current) => withChangedProduto(current, id, taken))
      notify.erro(errorMessage(error))
      refetchCatalog(client)
    }
  }

  const toggle = (produto: Produto, ativo: boolean): Promise<void> =>
    change(produto, { shown: { ativo }, taken: { ativo: !ativo }, save: ['ativo', String(ativo)] }, () =>
      notify.sucesso(`Produto ${ativo ? 'ativado' : 'desativado'} com sucesso!`, {
        action: { label: 'Desfazer', run: () => void toggle(produto, !ativo) },
      }),
    )

  const pause = (produto: Produto, until: string | null): Promise<void> => {
    const { nome, pausadoAte } = produto
    const fields = { shown: { pausadoAte: until ?? undefined }, taken: { pausadoAte } }
    return change(produto, { ...fields, save: ['pausadoAte', until ?? ''] }, () =>
      notify.sucesso(until === null ? `${nome} voltou a vender.` : `${nome} está pausado até amanhã.`, {
        action: { label: 'Desfazer', run: () => void pause({ ...produto, ...fields.shown }, pausadoAte ?? null) },
      }),
    )
  }

  const remove = async ({ id }: Produto): Promise<void> => {
    try {
      await call(excluirProdutoRoute, { params: { id } })
      updateCatalog(client, (current) => current.filter((produto) => produto.id !== id))
      notify.sucesso('Produto deletado com sucesso!')
    } catch (error) {
      notify.erro(errorMessage(error))
    }
    // The server renumbers the following products.
    refetchCatalog(client)
  }

  return { toggle, pause, remove }
}

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
