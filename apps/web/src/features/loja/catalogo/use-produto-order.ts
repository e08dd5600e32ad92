import { ordenarProdutosRoute } from '@balcao/contract/routes/produtos'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import {
  type Catalog,
  withMovedProduto,
  refetchCatalog,
  cachedCatalog,
  updateCatalog,
} from '#features/loja/produtos.ts'

interface OrderQueue {
  busy: boolean
  /** Latest unsent order. Orders between two requests are skipped. */
  next: Catalog | null
}

/** The last move. Repeated moves of one product share one notice and one undo to the start position. */
interface LastMove {
  readonly id: string
  readonly from: number
  readonly aviso: string
}

export function useProdutoOrder() {
  const cliente = useQueryClient()
  const envio = useRef<OrderQueue>({ busy: false, next: null })
  const last = useRef<LastMove | null>(null)
  const [anuncio, setAnuncio] = useState('')

  const fail = (salva: Catalog, error: unknown): void => {
    envio.current.next = null
    if (last.current !== null) dismissAviso(last.current.aviso)
    last.current = null
    const place = new Map(salva.map(({ id, ordem }) => [id, ordem]))
    updateCatalog(cliente, (atual) =>
      atual
        .map((produto) => ({ ...produto, ordem: place.get(produto.id) ?? produto.ordem }))
        .toSorted((a, b) => a.ordem - b.ordem),
    )
    setAnuncio('A ordem voltou a ser a de antes')
    notify.erro(errorMessage(error))
    refetchCatalog(cliente)
  }
  const send = async (before: Catalog): Promise<void> => {
    envio.current.busy = true
    let salva = before
    while (envio.current.next !== null) {
      const vai = envio.current.next
      envio.current.next = null
      try {
        await call(ordenarProdutosRoute, { body: { produtos: vai.map(({ id, ordem }) => ({ id, ordem })) } })
        salva = vai
      } catch (error) {
        fail(salva, error)
      }
    }
    envio.current.busy = false
  }
  /** Returns the previous index, or null if nothing moved. */
  const mudarDeLugar = (id: string, para: number): number | null => {
    const before = cachedCatalog(cliente)
    const de = before.findIndex((produto) => produto.id === id)
    if (de < 0 || de === para || before[para] === undefined) return null
    const after = withMovedProduto(before, id, para)
    updateCatalog(cliente, () => after)
    envio.current.next = after
    if (!envio.current.busy) void send(before)
    return de
  }
  const undo = (id: string, name: string, de: number): void => {
    last.current = null
    const destination = Math.min(de, cachedCatalog(cliente).length - 1)
    if (mudarDeLugar(id, destination) !== null) setAnuncio(`${name} voltou para a posição ${destination + 1}`)
  }

  return {
    anuncio,
    /** `para` is an index in the whole catalogue, from 0. */
    mover: (id: string, para: number): void => {
      const left = mudarDeLugar(id, para)
      const catalog = cachedCatalog(cliente)
      const name = catalog[para]?.nome
      if (left === null || name === undefined) return
      const previous = last.current
      if (previous !== null) dismissAviso(previous.aviso)
      const de = previous?.id === id ? previous.from : left
      const sentence = `${name} movido para a posição ${para + 1} de ${catalog.length}`
      setAnuncio(sentence)
      const aviso = notify.sucesso(sentence, { action: { label: 'Desfazer', run: () => undo(id, name, de) } })
      last.current = { id, from: de, aviso }
    },
  }
}
