import { ordenarProdutosRoute } from '@balcao/contract/routes/produtos'
import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar, dispensarAviso } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { type Catalogo, comMovido, conferirCatalogo, lerCatalogo, mudarCatalogo } from './produtos.ts'

interface Envio {
  ocupado: boolean
  /** Latest unsent order. Orders between two requests are skipped. */
  proximo: Catalogo | null
}

/** The last move. Repeated moves of one product share one notice and one undo to the start position. */
interface Movimento {
  readonly id: string
  readonly de: number
  readonly aviso: string
}

export function useOrdem() {
  const cliente = useQueryClient()
  const envio = useRef<Envio>({ ocupado: false, proximo: null })
  const ultimo = useRef<Movimento | null>(null)
  const [anuncio, setAnuncio] = useState('')

  const falhar = (salva: Catalogo, erro: unknown): void => {
    envio.current.proximo = null
    if (ultimo.current !== null) dispensarAviso(ultimo.current.aviso)
    ultimo.current = null
    const lugar = new Map(salva.map(({ id, ordem }) => [id, ordem]))
    mudarCatalogo(cliente, (atual) =>
      atual
        .map((produto) => ({ ...produto, ordem: lugar.get(produto.id) ?? produto.ordem }))
        .toSorted((a, b) => a.ordem - b.ordem),
    )
    setAnuncio('A ordem voltou a ser a de antes')
    avisar.erro(mensagemDe(erro))
    conferirCatalogo(cliente)
  }
  const enviar = async (antes: Catalogo): Promise<void> => {
    envio.current.ocupado = true
    let salva = antes
    while (envio.current.proximo !== null) {
      const vai = envio.current.proximo
      envio.current.proximo = null
      try {
        await call(ordenarProdutosRoute, { body: { produtos: vai.map(({ id, ordem }) => ({ id, ordem })) } })
        salva = vai
      } catch (erro) {
        falhar(salva, erro)
      }
    }
    envio.current.ocupado = false
  }
  /** Returns the previous index, or null if nothing moved. */
  const mudarDeLugar = (id: string, para: number): number | null => {
    const antes = lerCatalogo(cliente)
    const de = antes.findIndex((produto) => produto.id === id)
    if (de < 0 || de === para || antes[para] === undefined) return null
    const depois = comMovido(antes, id, para)
    mudarCatalogo(cliente, () => depois)
    envio.current.proximo = depois
    if (!envio.current.ocupado) void enviar(antes)
    return de
  }
  const desfazer = (id: string, nome: string, de: number): void => {
    ultimo.current = null
    const destino = Math.min(de, lerCatalogo(cliente).length - 1)
    if (mudarDeLugar(id, destino) !== null) setAnuncio(`${nome} voltou para a posição ${destino + 1}`)
  }

  return {
    anuncio,
    /** `para` is an index in the whole catalogue, from 0. */
    mover: (id: string, para: number): void => {
      const saiu = mudarDeLugar(id, para)
      const catalogo = lerCatalogo(cliente)
      const nome = catalogo[para]?.nome
      if (saiu === null || nome === undefined) return
      const anterior = ultimo.current
      if (anterior !== null) dispensarAviso(anterior.aviso)
      const de = anterior?.id === id ? anterior.de : saiu
      const frase = `${nome} movido para a posição ${para + 1} de ${catalogo.length}`
      setAnuncio(frase)
      const aviso = avisar.sucesso(frase, { acao: { rotulo: 'Desfazer', fazer: () => desfazer(id, nome, de) } })
      ultimo.current = { id, de, aviso }
    },
  }
}
