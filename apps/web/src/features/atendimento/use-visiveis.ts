import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useConversasAbertas, useConversasDoServidor, useTotaisDoServidor } from './dados.ts'
import { contarPorSetor, type Contagem, type Filtro, filtrando, filtrar } from './filtros.ts'

/** The search waits for a pause in the typing before it asks the server. */
const BUSCA_APOS_MS = 300

function useAtrasado<T>(valor: T, ms: number): T {
  const [atrasado, setAtrasado] = useState(valor)
  useEffect(() => {
    const espera = setTimeout(() => setAtrasado(valor), ms)
    return () => clearTimeout(espera)
  }, [valor, ms])
  return atrasado
}

const NENHUMA: readonly Conversa[] = []

/** Open ones from the live list; finished ones, and matches that were not read yet, from the server. */
export function useVisiveis(escolhido: Filtro) {
  // The key that was typed shows at once; ten thousand rows follow it.
  const filtro = useDeferredValue(escolhido)
  const abertas = useConversasAbertas()
  // A message to one of ten thousand sorts them all: whoever is typing meanwhile goes first.
  const conversas = useDeferredValue(abertas.conversas)
  // A status or a sector is pressed, not typed: asked for at once, and never with the one of before.
  const pedido = { ...filtro, busca: useAtrasado(filtro.busca, BUSCA_APOS_MS) }
  const finalizadas = filtro.status === 'finalizada'
  const ligada = finalizadas || (abertas.temMais && filtrando(filtro))
  const servidor = useConversasDoServidor(pedido, ligada)
  const doServidor = (ligada ? servidor.data?.conversas : undefined) ?? NENHUMA
  const visiveis = useMemo(() => {
    if (finalizadas) return filtrar(doServidor, filtro)
    if (doServidor.length === 0) return filtrar(conversas, filtro)
    const vistas = new Set(conversas.map(({ id }) => id))
    return filtrar([...conversas, ...doServidor.filter(({ id }) => !vistas.has(id))], filtro)
  }, [conversas, doServidor, finalizadas, filtro])
  return {
    abertas,
    visiveis,
    doServidor,
    // What was read is not nothing while the rows are still being drawn.
    carregando: finalizadas
      ? servidor.isPending
      : abertas.carregando || (conversas.length === 0 && abertas.conversas.length > 0),
    erro: finalizadas ? servidor.error : abertas.erro,
    tentar: () => (finalizadas ? void servidor.refetch() : abertas.recarregar()),
    /** How many were read, shown or not: another page makes it grow. */
    lidas: conversas.length + doServidor.length,
    temMais: ligada ? servidor.temMais : abertas.temMais,
    carregarMais: async () => {
      if (ligada) await servidor.carregarMais()
      else await abertas.carregarMais()
    },
  }
}

/** The whole list, or the server's own totals when there is more than was read. */
export function useContagens(todas: readonly Conversa[], temMais: boolean): ReadonlyMap<string, Contagem> {
  const conversas = useDeferredValue(todas)
  const totais = useTotaisDoServidor(temMais)
  return useMemo(
    () =>
      temMais && totais !== undefined
        ? new Map(totais.map(({ setor, ...contagem }) => [setor, contagem]))
        : contarPorSetor(conversas),
    [conversas, temMais, totais],
  )
}

export type SetorVisto = Pick<Setor, 'nome' | 'cor'>

/** Name and colour of a sector, one that was removed included. The same sector is always the same object. */
export function useSetorDe(setores: readonly Setor[], conversas: readonly Conversa[]): (id: string) => SetorVisto {
  const porId = useMemo(() => {
    const vistos = new Map<string, SetorVisto>(setores.map((setor) => [setor.id, setor]))
    for (const { setor } of conversas) if (!vistos.has(setor)) vistos.set(setor, { nome: setor, cor: 'gray' })
    return vistos
  }, [setores, conversas])
  return useCallback((id) => porId.get(id) ?? { nome: id, cor: 'gray' }, [porId])
}
