import { type ReactNode, Suspense, lazy, useEffect, useEffectEvent, useState } from 'react'
import clsx from 'clsx'
import { ImagePlus, Trash2 } from 'lucide-react'
import { useMediaQuery } from '#shared/hooks/use-media-query.ts'
import { useFileDrop } from '#shared/hooks/use-file-drop.ts'
import { Button } from '#shared/ui/button.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { LeaveUnsavedDialog } from '#shared/ui/leave-unsaved-dialog.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { Field } from '#shared/ui/field.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { MoneyField } from '#shared/form/money-field.tsx'
import { SaleFields } from './sale-fields.tsx'
import { type ProdutoFormOptions, type ProdutoFormState, useProdutoForm } from './use-produto-form.ts'
import { ACCEPTED_IMAGES, type ImageState } from './use-image.ts'

function ProdutoFields({ form }: { form: ProdutoFormState }) {
  const { values, errors, change } = form
  return (
    <>
      <TextField
        label="Nome"
        name="nome"
        required
        maxLength={120}
        autoComplete="off"
        error={errors['nome']}
        value={values.nome}
        onChange={({ currentTarget }) => change({ nome: currentTarget.value })}
      />
      <Field label="Descrição" error={errors['descricao']}>
        {(link) => (
          <textarea
            {...link}
            name="descricao"
            required
            rows={3}
            maxLength={4096}
            className="field block max-h-64 min-h-16 resize-none [field-sizing:content]"
            value={values.descricao}
            onChange={({ currentTarget }) => change({ descricao: currentTarget.value })}
          />
        )}
      </Field>
      <PriceAndLink form={form} />
      <Switch
        label="Ativo na loja"
        hint="Desligado, o produto fica guardado e os clientes não o veem."
        on={values.ativo}
        onChange={(ativo) => change({ ativo })}
      />
    </>
  )
}

function PriceAndLink({ form: { values, errors, change, tidy } }: { form: ProdutoFormState }) {
  return (
    <div className="grid items-start gap-4 sm:grid-cols-[12rem_1fr]">
      <MoneyField
        label="Preço"
        name="preco"
        required
        error={errors['preco']}
        value={values.preco}
        onChange={(preco) => change({ preco })}
      />
      <TextField
        label="Link de compra (opcional)"
        name="linkCheckout"
        type="url"
        inputMode="url"
        maxLength={2000}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        placeholder="https://…"
        error={errors['linkCheckout']}
        value={values.linkCheckout}
        onChange={({ currentTarget }) => change({ linkCheckout: currentTarget.value })}
        onBlur={tidy}
      />
    </div>
  )
}

/** Pasted images. In a text field, text on the clipboard wins over its image version. */
function pastedFiles({ clipboardData, target }: ClipboardEvent): Iterable<File> {
  const writing = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement
  if (clipboardData === null || (writing && clipboardData.types.includes('text/plain'))) return []
  return clipboardData.files
}

function ImageField({ image, hovered }: { image: ImageState; hovered: boolean }) {
  const { url, erro: error } = image
  const paste = useEffectEvent((event: ClipboardEvent) => image.escolher(pastedFiles(event)))
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event)
    addEventListener('paste', listen)
    return () => removeEventListener('paste', listen)
  }, [])
  return (
    <Field label="Imagem" error={error} hint="PNG, JPG ou WEBP, até 5 MB. Dá para arrastar, colar ou escolher.">
      {(link) => (
        <div className="relative">
          <label
            htmlFor={link.id}
            className={clsx(
              'relative grid h-44 cursor-pointer place-items-center overflow-clip rounded-xl border-2 border-dashed has-focus-visible:outline-2',
              hovered ? 'border-brand bg-brand-soft' : 'border-line-strong bg-sunken',
            )}
          >
            <input
              {...link}
              type="file"
              accept={ACCEPTED_IMAGES}
              className="sr-only"
              onChange={({ currentTarget }) => {
                image.escolher(currentTarget.files ?? [])
                currentTarget.value = ''
              }}
            />
            {url === null ? (
              <span className="grid justify-items-center gap-2 p-3 text-center text-sm font-semibold text-muted">
                <ImagePlus size={26} aria-hidden />
                {hovered ? 'Solte aqui' : 'Escolher imagem'}
              </span>
            ) : (
              <img src={url} alt="" className="absolute inset-0 size-full object-contain" onError={image.quebrar} />
            )}
            {url !== null && (
              <span className="absolute bottom-2 left-2 rounded-lg bg-surface px-2.5 py-1.5 text-sm font-semibold shadow-card">
                {hovered ? 'Solte aqui' : 'Trocar'}
              </span>
            )}
          </label>
          {url !== null && (
            <Button size="sm" className="absolute right-2 bottom-2 bg-surface" onClick={image.remover}>
              <Trash2 size={15} aria-hidden /> Tirar imagem
            </Button>
          )}
        </div>
      )}
    </Field>
  )
}

const LojaPreview = lazy(async () => ({ default: (await import('./loja-preview.tsx')).LojaPreview }))

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
            <SaleFields form={form} catalog={catalog} />
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
  readonly form: ProdutoFormState
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

function UploadProgress({ form: { image, progress } }: { form: ProdutoFormState }) {
  if (image.arquivo === null || progress === null || progress >= 1) return <>Salvando…</>
  return <>Enviando imagem… {Math.round(progress * 100)}%</>
}
