import type { Setor } from '@balcao/contract/entities/config'
import type { Conversa } from '@balcao/contract/entities/conversa'
import { useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { useConversasAbertas, useConversasDoServidor, useTotaisDoServidor } from './dados.ts'
import { contarPorSetor, type Contagem, type Filtro, filtrando, filtrar } from './filtros.ts'

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

/** Open conversas from the live list. Finished ones, and matches beyond the loaded pages, from the server. */
export function useVisiveis(escolhido: Filtro) {
  // Deferred: the typed key shows first, then 10,000 rows are filtered.
  const filtro = useDeferredValue(escolhido)
  const abertas = useConversasAbertas()
  // Deferred: each event sorts the whole list, and typing has priority.
  const conversas = useDeferredValue(abertas.conversas)
  // Only the text is debounced: a click on status or setor searches immediately.
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
    // While the deferred rows render, an empty list still counts as loading.
    carregando: finalizadas
      ? servidor.isPending
      : abertas.carregando || (conversas.length === 0 && abertas.conversas.length > 0),
    erro: finalizadas ? servidor.error : abertas.erro,
    tentar: () => (finalizadas ? void servidor.refetch() : abertas.recarregar()),
    /** Loaded conversas, visible or not: each new page increases it. */
    lidas: conversas.length + doServidor.length,
    temMais: ligada ? servidor.temMais : abertas.temMais,
    carregarMais: async () => {
      if (ligada) await servidor.carregarMais()
      else await abertas.carregarMais()
    },
  }
}

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

/** Name and colour of a setor, also of a removed one. Returns stable objects. */
export function useSetorDe(setores: readonly Setor[], conversas: readonly Conversa[]): (id: string) => SetorVisto {
  const porId = useMemo(() => {
    const vistos = new Map<string, SetorVisto>(setores.map((setor) => [setor.id, setor]))
    for (const { setor } of conversas) if (!vistos.has(setor)) vistos.set(setor, { nome: setor, cor: 'gray' })
    return vistos
  }, [setores, conversas])
  return useCallback((id) => porId.get(id) ?? { nome: id, cor: 'gray' }, [porId])
}
