import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import { useState } from 'react'
import { avisar } from '#shared/avisos.ts'
import { useRestaurarConfig, useVersoesConfig } from '#shared/dados/versoes-config.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { formatDateTime } from '#shared/format.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'

interface LinhaProps {
  readonly versao: VersaoConfig
  readonly bloqueada: boolean
  readonly onRestaurar: () => void
}

function Linha({ versao: { versao, criadaEm, autor, atual }, bloqueada, onRestaurar }: LinhaProps) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
      <span className="font-semibold tabular-nums">Versão {versao}</span>
      <span className="text-sm text-muted">
        <time dateTime={criadaEm}>{formatDateTime(criadaEm)}</time> · {autor}
      </span>
      <span className="ml-auto">
        {atual ? (
          <Chip tom="verde">Atual</Chip>
        ) : (
          <Button
            tamanho="sm"
            variante="ghost"
            disabled={bloqueada}
            aria-label={`Restaurar a versão ${versao}`}
            onClick={onRestaurar}
          >
            Restaurar
          </Button>
        )}
      </span>
    </li>
  )
}

function Lista({ alterado }: { alterado: boolean }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useVersoesConfig()
  const restaurar = useRestaurarConfig()
  if (isPending) {
    return (
      <div role="status" aria-busy="true" aria-label="Carregando o histórico" className="mt-3">
        <Skeleton className="h-24 w-full" />
      </div>
    )
  }
  if (data === undefined) return <ErrorState mensagem={mensagemDe(error)} onTentar={() => void refetch()} />
  const versoes = data.pages.flatMap((pagina) => pagina.versoes)
  const atual = versoes.find((versao) => versao.atual)?.versao

  /** `sobre` is the version shown as current, for conflict detection. An undo offers no further undo. */
  async function restaurarVersao(n: number, sobre: number | undefined, volta = true): Promise<void> {
    try {
      const { versao } = await restaurar.mutateAsync({ n, versao: sobre })
      const acao =
        sobre === undefined || !volta
          ? {}
          : { acao: { rotulo: 'Desfazer', fazer: () => void restaurarVersao(sobre, versao, false) } }
      avisar.sucesso(`Versão ${n} restaurada.`, acao)
    } catch (erro) {
      avisar.erro(mensagemDe(erro))
    }
  }

  return (
    <>
      {alterado && (
        <p className="mt-3 text-sm text-muted">Salve ou descarte as alterações acima para poder restaurar.</p>
      )}
      <ul className="mt-2 divide-y">
        {versoes.map((versao) => (
          <Linha
            key={versao.versao}
            versao={versao}
            bloqueada={alterado || restaurar.isPending}
            onRestaurar={() => void restaurarVersao(versao.versao, atual)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button variante="ghost" tamanho="sm" ocupado={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}

/** Restoring a version saves it again as a new version. */
export function Historico({ alterado }: { alterado: boolean }) {
  const [aberto, setAberto] = useState(false)
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setAberto(currentTarget.open)}>
      <summary className="cursor-pointer">
        <h2 className="inline text-lg font-bold">Histórico da configuração</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Cada vez que alguém salva, a versão anterior fica guardada. Restaurar cria uma versão nova, igual à escolhida.
      </p>
      {aberto && <Lista alterado={alterado} />}
    </details>
  )
}
