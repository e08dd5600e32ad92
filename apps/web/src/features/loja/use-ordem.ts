import { ordenarProdutosRoute } from '@balcao/contract/routes/produtos'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { notify, dismissAviso } from '#shared/avisos.ts'
import { errorMessage } from '#shared/dados/erro.ts'
import { type Catalog, withMovedProduto, refetchCatalog, cachedCatalog, updateCatalog } from './produtos.ts'

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
  const ultimo = useRef<LastMove | null>(null)
  const [anuncio, setAnuncio] = useState('')

  const falhar = (salva: Catalog, erro: unknown): void => {
    envio.current.next = null
    if (ultimo.current !== null) dismissAviso(ultimo.current.aviso)
    ultimo.current = null
    const lugar = new Map(salva.map(({ id, ordem }) => [id, ordem]))
    updateCatalog(cliente, (atual) =>
      atual
        .map((produto) => ({ ...produto, ordem: lugar.get(produto.id) ?? produto.ordem }))
        .toSorted((a, b) => a.ordem - b.ordem),
    )
    setAnuncio('A ordem voltou a ser a de antes')
    notify.erro(errorMessage(erro))
    refetchCatalog(cliente)
  }
  const enviar = async (antes: Catalog): Promise<void> => {
    envio.current.busy = true
    let salva = antes
    while (envio.current.next !== null) {
      const vai = envio.current.next
      envio.current.next = null
      try {
        await call(ordenarProdutosRoute, { body: { produtos: vai.map(({ id, ordem }) => ({ id, ordem })) } })
        salva = vai
      } catch (erro) {
        falhar(salva, erro)
      }
    }
    envio.current.busy = false
  }
  /** Returns the previous index, or null if nothing moved. */
  const mudarDeLugar = (id: string, para: number): number | null => {
    const antes = cachedCatalog(cliente)
    const de = antes.findIndex((produto) => produto.id === id)
    if (de < 0 || de === para || antes[para] === undefined) return null
    const depois = withMovedProduto(antes, id, para)
    updateCatalog(cliente, () => depois)
    envio.current.next = depois
    if (!envio.current.busy) void enviar(antes)
    return de
  }
  const desfazer = (id: string, nome: string, de: number): void => {
    ultimo.current = null
    const destino = Math.min(de, cachedCatalog(cliente).length - 1)
    if (mudarDeLugar(id, destino) !== null) setAnuncio(`${nome} voltou para a posição ${destino + 1}`)
  }

  return {
    anuncio,
    /** `para` is an index in the whole catalogue, from 0. */
    mover: (id: string, para: number): void => {
      const saiu = mudarDeLugar(id, para)
      const catalogo = cachedCatalog(cliente)
      const nome = catalogo[para]?.nome
      if (saiu === null || nome === undefined) return
      const anterior = ultimo.current
      if (anterior !== null) dismissAviso(anterior.aviso)
      const de = anterior?.id === id ? anterior.from : saiu
      const frase = `${nome} movido para a posição ${para + 1} de ${catalogo.length}`
      setAnuncio(frase)
      const aviso = notify.sucesso(frase, { action: { label: 'Desfazer', run: () => desfazer(id, nome, de) } })
      ultimo.current = { id, from: de, aviso }
    },
  }
}
