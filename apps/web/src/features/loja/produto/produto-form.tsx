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
  const formulario = useProdutoForm(options)
  const wide = useMediaQuery('(min-width: 64rem)')
  const [viewing, setVendo] = useState(false)
  const previa = (
    <Suspense fallback={<Skeleton className="h-96 w-full rounded-[2.2rem]" />}>
      <LojaPreview produto={formulario.rascunho} catalog={catalog} />
    </Suspense>
  )
  return (
    <>
      <Dialog
        open
        width="xl"
        title={produto === null ? 'Novo produto' : 'Editar produto'}
        hold={formulario.alterado || formulario.ocupado}
        onClose={formulario.tentarFechar}
      >
        <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
          <FormLayout form={formulario} isNew={produto === null}>
            {!wide && (
              <details className="rounded-xl border" onToggle={({ newState }) => setVendo(newState === 'open')}>
                <summary className="px-4 py-3 font-semibold">Ver como aparece no WhatsApp</summary>
                {viewing && <div className="p-3 pt-0">{previa}</div>}
              </details>
            )}
          </FormLayout>
          {wide && <div className="sticky top-5">{previa}</div>}
        </div>
      </Dialog>
      <LeaveUnsavedDialog guard={formulario.pergunta}>O que você escreveu neste produto se perde.</LeaveUnsavedDialog>
    </>
  )
}

interface FormLayoutProps {
  readonly form: ProdutoForm
  readonly isNew: boolean
  readonly children: ReactNode
}

function FormLayout({ form: formulario, isNew, children }: FormLayoutProps) {
  const { imagem, erros, ocupado, salvar, tentarFechar } = formulario
  const { sobre, soltar } = useFileDrop(imagem.escolher)
  return (
    <form
      noValidate
      {...soltar}
      onSubmit={(event) => {
        event.preventDefault()
        void salvar()
      }}
      className="grid gap-4"
    >
      {erros.geral !== undefined && <Notice tone="erro" title={erros.geral} />}
      <ImageField imagem={imagem} solta={sobre} />
      <ProdutoFields formulario={formulario} />
      {children}
      <div className="sticky bottom-0 -mx-5 -mb-5 flex flex-wrap items-center justify-end gap-2 border-t bg-surface px-5 py-3">
        <Button className="min-h-11" disabled={ocupado} onClick={tentarFechar}>
          Cancelar
        </Button>
        <Button type="submit" variant="primary" className="min-h-11" busy={ocupado}>
          {ocupado ? <UploadProgress formulario={formulario} /> : isNew ? 'Criar produto' : 'Salvar'}
        </Button>
      </div>
    </form>
  )
}

function UploadProgress({ formulario: { imagem, enviado } }: { formulario: ProdutoForm }) {
  if (imagem.arquivo === null || enviado === null || enviado >= 1) return <>Salvando…</>
  return <>Enviando imagem… {Math.round(enviado * 100)}%</>
}
