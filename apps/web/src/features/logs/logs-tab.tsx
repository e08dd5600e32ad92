import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { avisar } from '#shared/avisos.ts'
import { CHAVES } from '#shared/dados/chaves.ts'
import { Acoes } from './acoes.tsx'
import { Cartoes } from './cartoes.tsx'
import { useLogs } from './consultas.ts'
import { EscolhaDaLista, ID_DO_PAINEL, idDaAba, type QualLista } from './escolha-da-lista.tsx'
import { EsqueletoDaLista } from './esqueleto-da-lista.tsx'
import { escreverFiltro, type Filtro, lerFiltro } from './filtro.ts'
import { Registros } from './registros.tsx'
import { useSistema } from './sistema.ts'
import { usePausa } from './use-pausa.ts'

const FaixaDeManutencao = lazy(async () => ({
  default: (await import('#shared/ui/faixa-de-manutencao.tsx')).FaixaDeManutencao,
}))
const Mensagens = lazy(async () => ({ default: (await import('./mensagens.tsx')).Mensagens }))

const NENHUM: readonly never[] = []

export function LogsTab() {
  const cliente = useQueryClient()
  const navigate = useNavigate()
  const endereco = useSearch({ strict: false })
  const filtro = lerFiltro(endereco)
  const qual: QualLista = endereco.lista === 'mensagens' ? 'mensagens' : 'logs'
  const sistema = useSistema()
  const logs = useLogs(filtro, qual === 'logs')
  const pausa = usePausa(logs.data?.logs ?? NENHUM, JSON.stringify(filtro))

  const ir = (novo: Filtro, lista: QualLista): void =>
    void navigate({
      to: '/dashboard',
      search: { aba: 'logs', ...escreverFiltro(novo), lista: lista === 'logs' ? undefined : lista },
      // `replace`: a search must not add one history entry per letter.
      replace: true,
      resetScroll: false,
    })

  async function atualizar(): Promise<void> {
    const opcoes = { throwOnError: true }
    await Promise.all(
      [CHAVES.sistema, CHAVES.logs, CHAVES.mensagensBot].map((queryKey) =>
        cliente.refetchQueries({ queryKey, type: 'active' }, opcoes),
      ),
    )
    pausa.mudar('rolagem', false)
    avisar.sucesso('Dados atualizados!')
  }

  const manutencao = sistema.data?.sistema.manutencao ?? null
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Suspense>{manutencao === true && <FaixaDeManutencao />}</Suspense>
      <Cartoes sistema={sistema.data} foraDoAr={sistema.error !== null} />
      <Acoes filtro={filtro} manutencao={manutencao} atualizar={atualizar} />
      <div className="min-w-0">
        <EscolhaDaLista atual={qual} onEscolher={(nova) => ir(filtro, nova)} />
        <div role="tabpanel" id={ID_DO_PAINEL} aria-labelledby={idDaAba(qual)} className="mt-2">
          {qual === 'logs' ? (
            <Registros
              filtro={filtro}
              onFiltrar={(mudanca) => ir({ ...filtro, ...mudanca }, qual)}
              consulta={logs}
              pausa={pausa}
            />
          ) : (
            <Suspense fallback={<EsqueletoDaLista rotulo="Carregando as mensagens" />}>
              <Mensagens />
            </Suspense>
          )}
        </div>
      </div>
    </div>
  )
}
