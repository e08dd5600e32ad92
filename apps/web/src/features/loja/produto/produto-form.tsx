import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { ImageField } from './image-field.tsx'
import { ProdutoFields } from './produto-fields.tsx'
import { type ProdutoFormOptions, useProdutoForm } from './use-produto-form.ts'

const LojaPreview = lazy(async () => ({ default: (await import('./loja-preview.tsx')).LojaPreview }))

type ProdutoForm = ReturnType<typeof useProdutoForm>

export function ProdutoForm(options: ProdutoFormOptions) {
  const { produto, catalog } = options
  const form = useProdutoForm(options)
  const wide = useMediaQuery('(min-width: 64rem)')
  const [viewing, setViewing] = useState(false)
  const preview = (
    <Suspense fallback={<Skeleton className="h-96 w-full rounded-[2.2rem]" />}>
      <LojaPreview produto={form.preview} catalog={catalog} />
    </Suspense>
  )
  return (
    <>
      <Dialog
        open
        width="xl"
        title={produto === null ? 'Novo produto' : 'Editar produto'}
        hold={form.changed || form.saving}
        onClose={form.tryClose}
      >
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <FormLayout form={form} isNew={produto === null}>
            {!wide && (
              <details className="rounded-xl border" onToggle={({ newState }) => setViewing(newState === 'open')}>
                <summary className="px-4 py-3 font-semibold">Ver como aparece no WhatsApp</summary>
                {viewing && <div className="p-3 pt-0">{preview}</div>}
              </details>
            )}
          </FormLayout>
          {wide && <div className="sticky top-5">{preview}</div>}
        </div>
      </Dialog>
      <LeaveUnsavedDialog guard={form.question}>O que você escreveu neste produto se perde.</LeaveUnsavedDialog>
    </>
  )
}

interface FormLayoutProps {
  readonly form: ProdutoForm
  readonly isNew: boolean
  readonly children: ReactNode
}

function FormLayout({ form, isNew, children }: FormLayoutProps) {
  const { image, errors, saving, save, tryClose } = form
  const { sobre, soltar } = useFileDrop(image.escolher)
  return (
    <form
      noValidate
      {...soltar}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
      className="grid gap-4"
    >
      {errors['geral'] !== undefined && <Notice tone="erro" title={errors['geral']} />}
      <ImageField image={image} hovered={sobre} />
      <ProdutoFields form={form} />
      {children}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t bg-surface px-5 py-3">
        <Button className="min-h-11" disabled={saving} onClick={tryClose}>
          Cancelar
        </Button>
        <Button type="submit" variant="primary" className="min-h-11" busy={saving}>
          {saving ? <UploadProgress form={form} /> : isNew ? 'Criar produto' : 'Salvar'}
        </Button>
      </div>
    </form>
  )
}

function UploadProgress({ form: { image, progress } }: { form: ProdutoForm }) {
  if (image.arquivo === null || progress === null || progress >= 1) return <>Salvando…</>
  return <>Enviando imagem… {Math.round(progress * 100)}%</>
}
