import { lazy, Suspense, useState } from 'react'
import { Skeleton, ErrorState } from '#shared/ui/states.tsx'
import type { VersaoConfig } from '@balcao/contract/entities/versao-config'
import { notify } from '#shared/avisos.ts'
import { useRestoreConfig, useConfigVersions } from '#shared/data/config/config-versions.ts'
import { errorMessage } from '#shared/data/error-message.ts'
import { formatDateTime } from '#shared/format.ts'
import { useAddressPart } from '#shared/hooks/use-address-part.ts'
import { Button } from '#shared/ui/button.tsx'
import { Chip } from '#shared/ui/chip.tsx'
import { CostsSection } from './custos/costs-section.tsx'

export function CollapsedSections({ changed }: { changed: boolean }) {
  return (
    <>
      <CostsSection />
      <ConfigHistory changed={changed} />
      <LgpdSection />
    </>
  )
}

const LgpdContent = lazy(async () => ({ default: (await import('./lgpd/lgpd-content.tsx')).LgpdContent }))

/** Opens when the address asks for the retention, which is inside. */
function LgpdSection() {
  const [open, setOpen] = useState(useAddressPart('lgpd-aviso'))
  return (
    <details open={open} className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary id="privacidade" className="-my-2 cursor-pointer py-2">
        <h2 className="inline text-lg font-bold">Privacidade (LGPD)</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Responda aos pedidos dos seus clientes sobre os dados deles e diga por quanto tempo guarda as conversas.
      </p>
      {open && (
        <Suspense fallback={<Skeleton className="mt-4 h-48 w-full" />}>
          <LgpdContent />
        </Suspense>
      )}
    </details>
  )
}

interface VersionRowProps {
  readonly versao: VersaoConfig
  readonly disabled: boolean
  readonly onRestore: () => void
}

function VersionRow({ versao: { versao, criadaEm, autor, atual, guardada }, disabled, onRestore }: VersionRowProps) {
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-4 gap-y-1 py-1.5">
      <span className="font-semibold tabular-nums">Versão {versao}</span>
      <span className="text-sm text-muted">
        <time dateTime={criadaEm}>{formatDateTime(criadaEm)}</time> · {autor}
      </span>
      <span className="ml-auto">
        {atual ? (
          <Chip tone="verde">Atual</Chip>
        ) : !guardada ? (
          <span className="text-sm text-muted">Conteúdo não guardado</span>
        ) : (
          <Button
            size="sm"
            variant="ghost"
            disabled={disabled}
            aria-label={`Restaurar a versão ${versao}`}
            onClick={onRestore}
          >
            Restaurar
          </Button>
        )}
      </span>
    </li>
  )
}

function VersionList({ changed }: { changed: boolean }) {
  const { data, error, isPending, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useConfigVersions()
  const restore = useRestoreConfig()
  if (isPending) {
    return (
      <div role="status" aria-busy="true" aria-label="Carregando o histórico" className="mt-3">
        <Skeleton className="h-24 w-full" />
      </div>
    )
  }
  if (data === undefined) return <ErrorState message={errorMessage(error)} onRetry={() => void refetch()} />
  const versions = data.pages.flatMap((page) => page.versoes)
  const current = versions.find((version) => version.atual)?.versao

  /** `over` is the version shown as current, for conflict detection. An undo offers no further undo. */
  async function restoreVersion(n: number, over: number | undefined, undoable = true): Promise<void> {
    try {
      const { versao } = await restore.mutateAsync({ n, versao: over })
      const options =
        over === undefined || !undoable
          ? {}
          : { action: { label: 'Desfazer', run: () => void restoreVersion(over, versao, false) } }
      notify.sucesso(`Versão ${n} restaurada.`, options)
    } catch (error) {
      notify.erro(errorMessage(error))
    }
  }

  return (
    <>
      {changed && (
        <p className="mt-3 text-sm text-muted">Salve ou descarte as alterações acima para poder restaurar.</p>
      )}
      <ul className="mt-2 divide-y">
        {versions.map((version) => (
          <VersionRow
            key={version.versao}
            versao={version}
            disabled={changed || restore.isPending}
            onRestore={() => void restoreVersion(version.versao, current)}
          />
        ))}
      </ul>
      {hasNextPage && (
        <Button variant="ghost" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Mostrar mais
        </Button>
      )}
    </>
  )
}

function ConfigHistory({ changed }: { changed: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <details className="card p-4 sm:p-5" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="-my-2 cursor-pointer py-2">
        <h2 className="inline text-lg font-bold">Histórico da configuração</h2>
      </summary>
      <p className="mt-2 text-sm text-muted">
        Cada vez que alguém salva, a versão anterior fica guardada. Restaurar cria uma versão nova, igual à escolhida.
        As últimas 200 sempre podem voltar.
      </p>
      {open && <VersionList changed={changed} />}
    </details>
  )
}
