import { AUDITORIA_DIAS } from '@balcao/contract/administracao'
import { Download, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { baixar } from '#shared/baixar.ts'
import { formatIsoDate } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { EmptyState, ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { avisarErro } from './acoes.ts'
import { auditoriaEmCsv } from './auditoria-em-csv.ts'
import { type FiltroAuditoria, useFiltroAuditoria } from './busca.ts'
import { lerTudo, PLANILHA_MAXIMO, useAuditoria } from './dados-da-auditoria.ts'
import { FiltrosDaAuditoria } from './filtros-da-auditoria.tsx'
import { ListaDeAtos } from './lista-de-atos.tsx'

export function AuditoriaAba() {
  const [filtro, mudar] = useFiltroAuditoria()
  return (
    <section aria-labelledby="auditoria" className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div>
          <h2 id="auditoria" className="text-xl font-bold">
            Auditoria
          </h2>
          <p className="text-sm text-muted">
            Entradas, mudanças de contas e outros atos sensíveis, guardados por {AUDITORIA_DIAS} dias. Ninguém os
            altera.
          </p>
        </div>
        <Planilha filtro={filtro} />
      </div>
      <FiltrosDaAuditoria filtro={filtro} onMudar={mudar} />
      <Resultado
        filtro={filtro}
        onLimpar={() => mudar({ busca: '', acao: 'todas', periodo: 'tudo', resultado: 'todos' })}
      />
    </section>
  )
}

/** Exports every act that matches the filter, not only the loaded pages. */
function Planilha({ filtro }: { filtro: FiltroAuditoria }) {
  const [baixando, setBaixando] = useState(false)
  const salvar = async (): Promise<void> => {
    setBaixando(true)
    try {
      const atos = await lerTudo(filtro)
      baixar(`auditoria-${formatIsoDate(Date.now())}.csv`, 'text/csv', auditoriaEmCsv(atos))
      avisar.sucesso(
        atos.length < PLANILHA_MAXIMO
          ? 'Planilha baixada.'
          : 'Planilha baixada com os atos mais recentes. Escolha um período menor para ter os outros.',
      )
    } catch (erro) {
      avisarErro('Erro ao baixar a planilha', erro)
    } finally {
      setBaixando(false)
    }
  }
  return (
    <Button className="min-h-11" ocupado={baixando} onClick={() => void salvar()}>
      {!baixando && <Download size={18} aria-hidden />} {baixando ? 'Baixando…' : 'Baixar planilha'}
    </Button>
  )
}

function Resultado({ filtro, onLimpar }: { filtro: FiltroAuditoria; onLimpar: () => void }) {
  const { data, isPending, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage, isPlaceholderData } =
    useAuditoria(filtro)
  const atos = data?.pages.flatMap((pagina) => pagina.atos) ?? []
  if (error !== null && data === undefined) {
    return (
      <div className="card">
        <ErrorState mensagem={error.message} onTentar={() => void refetch()} />
      </div>
    )
  }
  if (isPending) return <Esqueleto />
  if (atos.length === 0 && !isPlaceholderData) {
    return (
      <div className="card">
        <EmptyState
          titulo="Nada com este filtro"
          icone={<ScrollText size={22} aria-hidden />}
          acao={<Button onClick={onLimpar}>Limpar filtros</Button>}
        />
      </div>
    )
  }
  return (
    <div className={`grid gap-4 ${isPlaceholderData ? 'opacity-60' : ''}`} aria-busy={isPlaceholderData}>
      <ListaDeAtos atos={atos} />
      {hasNextPage && !isPlaceholderData && (
        <Button className="mx-auto min-h-11" ocupado={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {isFetchingNextPage ? 'Carregando…' : 'Carregar mais'}
        </Button>
      )}
    </div>
  )
}

function Esqueleto() {
  return (
    <div role="status" aria-label="Carregando a auditoria" className="card divide-y divide-line">
      {[1, 2, 3, 4, 5, 6].map((linha) => (
        <div key={linha} className="flex items-center gap-4 px-4 py-3">
          <Skeleton className="h-9 w-44" />
          <Skeleton className="h-9 w-44" />
          <Skeleton className="ml-auto h-6 w-24 max-sm:hidden" />
        </div>
      ))}
    </div>
  )
}
