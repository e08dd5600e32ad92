import { Suspense, lazy, useDeferredValue, useState } from 'react'
import { Link } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import type { VersionedConfig } from '@balcao/contract/entities/config'
import { type LoadedConfig, useEditableConfig } from '#shared/data/config/use-config.ts'
import { type Catalog, useProdutos } from '#shared/data/produtos.ts'
import type { FormErrors } from '#shared/form/use-config-form.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfigChanged } from '#shared/ui/config-changed.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { SaveBar } from '#shared/ui/save-bar.tsx'
import { ErrorState, Skeleton } from '#shared/ui/states.tsx'
import { closeShopSettings } from './shop-settings-values.ts'
import { EntregaCard } from './entrega/entrega-card.tsx'
import { MenuPageCard } from './menu-page-card.tsx'
import { PagamentoCard } from './pagamento-card.tsx'
import { PedidosCard } from './pedidos-card.tsx'
import { PrinterCard } from './printer-card.tsx'
import { StatusTextsCard } from './status-texts-card.tsx'
import { type ShopSettingsForm, useShopSettingsForm } from './use-shop-settings-form.ts'

const ShopSettingsPreview = lazy(async () => ({
  default: (await import('./shop-settings-preview.tsx')).ShopSettingsPreview,
}))
const SampleDialog = lazy(async () => ({
  default: (await import('#features/loja/exemplos/sample-dialog.tsx')).SampleDialog,
}))

export function ShopSettingsView() {
  const config = useEditableConfig()
  if (config.estado === 'lendo') return <ShopSettingsSkeleton />
  if (config.estado === 'falhou') {
    return (
      <div className="card">
        <ErrorState message={`Erro ao carregar os ajustes: ${config.mensagem}`} onRetry={config.tentar} />
      </div>
    )
  }
  return <ShopSettings loaded={config.lida} />
}

function ShopSettingsSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Carregando os ajustes" className="grid gap-4">
      <Skeleton className="h-40 w-full" />
      <Skeleton className="h-80 w-full" />
    </div>
  )
}

function ShopSettings({ loaded }: { loaded: LoadedConfig }) {
  const form = useShopSettingsForm(loaded)
  const { base, values, errors, change, changed, saving, discard, conflict, closeConflict, acceptServer } = form
  const { data: produtos = [] } = useProdutos()
  const guard = useUnsavedGuard(changed)
  const wide = useMediaQuery('(min-width: 64rem)')
  useHotkeys({ '$mod+s': () => void form.save() })
  const draft = useDraftConfig(form)
  return (
    <section aria-label="Ajustes da loja" className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="grid min-w-0 gap-4 sm:gap-5">
        <ShopSettingsHead changed={changed} catalog={produtos} />
        <Missing config={draft} catalog={produtos} />
        <form
          noValidate
          className="grid min-w-0 gap-4 sm:gap-5"
          onSubmit={(event) => {
            event.preventDefault()
            void form.save()
          }}
        >
          <PedidosCard form={form} />
          <EntregaCard form={form} />
          <PagamentoCard form={form} />
          <StatusTextsCard form={form} />
          <MenuPageCard
            pagina={values.pagina}
            saved={base.loja.pagina}
            errors={fieldErrors(errors, 'pagina')}
            onChange={(pagina) => change({ pagina })}
          />
          <PrinterCard
            value={values.impressora}
            errors={fieldErrors(errors, 'impressora')}
            onChange={(impressora) => change({ impressora })}
          />
          {!wide && <FoldedPreview config={draft} catalog={produtos} />}
          <SaveBar changed={changed} saving={saving} onDiscard={discard} onSave={() => void form.save()} />
        </form>
      </div>
      {wide && (
        <aside className="min-w-0 lg:sticky lg:top-20" aria-label="Prévia no celular">
          <Preview config={draft} catalog={produtos} />
        </aside>
      )}
      <LeaveUnsavedDialog guard={guard}>Os ajustes da loja ainda não foram salvos.</LeaveUnsavedDialog>
      <ConfigChanged open={conflict} onReload={acceptServer} onClose={closeConflict} />
    </section>
  )
}

/** The errors of the fields below `name`, without that name. */
function fieldErrors(errors: FormErrors, name: string): FormErrors {
  const prefix = `${name}.`
  return Object.fromEntries(
    Object.entries(errors).flatMap(([path, error]) =>
      path.startsWith(prefix) ? [[path.slice(prefix.length), error]] : [],
    ),
  )
}

function useDraftConfig({ base, values }: ShopSettingsForm): VersionedConfig {
  const seen = useDeferredValue(values)
  return { ...base, loja: closeShopSettings(base.loja, seen) }
}

interface PreviewProps {
  readonly config: VersionedConfig
  readonly catalog: Catalog
}

function Preview(props: PreviewProps) {
  return (
    <Suspense fallback={<Skeleton className="h-96 w-full rounded-[2.2rem]" />}>
      <ShopSettingsPreview {...props} />
    </Suspense>
  )
}

function FoldedPreview(props: PreviewProps) {
  const [open, setOpen] = useState(false)
  return (
    <details className="rounded-xl border" onToggle={({ newState }) => setOpen(newState === 'open')}>
      <summary className="px-4 py-3 font-semibold">Ver a conversa do cliente</summary>
      {open && (
        <div className="p-3 pt-0">
          <Preview {...props} />
        </div>
      )}
    </details>
  )
}

/** Its dialog has a form, so it lies outside the form of the settings. */
function ShopSettingsHead({ changed, catalog }: { changed: boolean; catalog: Catalog }) {
  const [choosing, setChoosing] = useState(false)
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <h2 id="ajustes-da-loja" tabIndex={-1} className="text-lg font-bold">
        Ajustes
      </h2>
      <Button
        className="min-h-11"
        disabled={changed}
        title={changed ? 'Salve ou descarte as alterações antes' : undefined}
        onClick={() => setChoosing(true)}
      >
        <Sparkles size={18} aria-hidden /> Começar de um exemplo
      </Button>
      {choosing && (
        <Suspense>
          <SampleDialog catalog={catalog} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </div>
  )
}

/** Why a customer cannot order yet. */
function Missing({ config, catalog }: PreviewProps) {
  const { loja, menu } = config
  if (!loja.pedidos) return null
  const { entrega, retirada, pagamentos, pix } = loja
  const ways = pagamentos.filter((forma) => forma !== 'pix' || pix.chave.trim() !== '')
  const missing = [
    ...(catalog.some(({ ativo }) => ativo) ? [] : ['Cadastre um produto ativo.']),
    ...(entrega.ativa || retirada ? [] : ['Ligue a entrega ou a retirada.']),
    ...(entrega.ativa && entrega.taxas.length === 0 ? ['Adicione um bairro ou uma faixa de CEP à entrega.'] : []),
    ...(ways.length === 0 ? ['Escolha uma forma de pagamento. O PIX precisa da chave.'] : []),
  ]
  const hasOption = menu.opcoes.some(({ tipo }) => tipo === 'loja')
  if (missing.length === 0 && hasOption) return null
  return (
    <div role="status" className="rounded-xl bg-warn-soft px-3 py-2 text-sm text-warn-ink">
      <p className="font-semibold">Para o cliente fechar um pedido, falta:</p>
      <ul className="mt-1 grid gap-1">
        {missing.map((text) => (
          <li key={text}>{text}</li>
        ))}
        {!hasOption && (
          <li>
            Criar uma opção do tipo Loja no menu.{' '}
            <Link to="/dashboard" search={{ aba: 'mensagens' }} className="font-semibold underline">
              Criar a opção
            </Link>
          </li>
        )}
      </ul>
    </div>
  )
}
