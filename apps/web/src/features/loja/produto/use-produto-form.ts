import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Produto } from '@balcao/contract/entities/produto'
import { atualizarProdutoRoute, criarProdutoRoute } from '@balcao/contract/routes/produtos'
import { refetchCatalog, updateCatalog, withChangedProduto } from '#features/loja/catalogo/catalog.ts'
import type { Catalog } from '#shared/data/produtos.ts'
import { ApiError } from '#shared/api-client.ts'
import { notify } from '#shared/avisos.ts'
import { type FormErrors, useConfigForm } from '#shared/form/use-config-form.ts'
import { useHotkeys } from '#shared/hooks/use-hotkeys.ts'
import { useLeaveGuard } from '#shared/hooks/use-leave-guard.ts'
import { upload } from '#shared/upload.ts'
import {
  checkProduto,
  formDataOf,
  hasSaleFields,
  openProduto,
  previewOf,
  type ProdutoFormInput,
  type ProdutoFormValues,
  tidyLink,
} from './produto-values.ts'
import { useImage } from './use-image.ts'

async function saveProduto(
  id: string | null,
  input: ProdutoFormInput,
  onProgress: (part: number) => void,
): Promise<Produto> {
  const form = formDataOf(input, id === null)
  const { produto } =
    id === null
      ? await upload(criarProdutoRoute, { params: undefined, form, onProgress })
      : await upload(atualizarProdutoRoute, { params: { id }, form, onProgress })
  return produto
}

export interface ProdutoFormOptions {
  readonly produto: Produto | null
  readonly catalog: Catalog
  readonly onClose: () => void
}

/** Focuses the first field on screen that has an error, also in the folded part. */
function focusFirst(errors: FormErrors): void {
  const fields = [...document.querySelectorAll<HTMLInputElement>('dialog[open] [name]')]
  const first = fields.find(({ name }) => errors[name] !== undefined)
  first?.closest('details')?.setAttribute('open', '')
  first?.focus()
}

export type ProdutoFormState = ReturnType<typeof useProdutoForm>

export function useProdutoForm(options: ProdutoFormOptions) {
  const { produto, catalog, onClose } = options
  const client = useQueryClient()
  const [initial] = useState(() => openProduto(produto))
  /** Upload progress from 0 to 1. */
  const [progress, setProgress] = useState(0)
  const image = useImage(produto?.imagemUrl ?? null)
  const form = useConfigForm({
    loaded: initial,
    valuesOf: (base) => base,
    send: async (base, fields) => {
      const stored = await saveProduto(produto?.id ?? null, { fields, initial: base, image }, setProgress)
      updateCatalog(client, (current) =>
        produto === null ? [...current, stored] : withChangedProduto(current, produto.id, stored),
      )
      return fields
    },
  })
  const { values, errors, saving, setErrors } = form
  const changed = image.alterada || form.changed

  const refuse = (found: FormErrors): boolean => {
    setErrors(found)
    focusFirst(found)
    return Object.keys(found).length > 0
  }
  const save = async (): Promise<void> => {
    if (saving || refuse(checkProduto(values))) return
    if (produto !== null && !changed) return onClose()
    setProgress(0)
    const outcome = await form.save()
    if (outcome.tipo !== 'salva') {
      if (!(outcome.error instanceof ApiError)) throw outcome.error
      return setErrors({ geral: outcome.error.message })
    }
    refetchCatalog(client)
    onClose()
    notify.sucesso(produto === null ? 'Produto criado com sucesso!' : 'Produto atualizado com sucesso!')
  }
  // Only with a mouse: on touch screens the keyboard would cover half the form. Not `autoFocus`, which runs before
  // the dialog is open.
  useEffect(() => {
    if (matchMedia('(pointer: fine)').matches) focusFirst({ nome: '' })
  }, [])
  useHotkeys({ '$mod+s': () => void save() })

  return {
    ...{ values, errors, image, changed, saving, save },
    progress: saving ? progress : null,
    ...useLeaveGuard(changed, saving, onClose),
    change: (fields: Partial<ProdutoFormValues>): void => {
      form.change(fields)
      const resolved = [...Object.keys(fields), 'geral']
      const isResolved = (path: string): boolean =>
        resolved.some((field) => path === field || path.startsWith(`${field}.`))
      setErrors(Object.fromEntries(Object.entries(errors).filter(([path]) => !isResolved(path))))
    },
    tidy: (): void => form.change(tidyLink(values)),
    preview: previewOf(values, {
      ...{ id: produto?.id ?? 'novo', ordem: produto?.ordem ?? catalog.length, imagemUrl: image.url },
    }),
    /** The produto had a field of orders when the form opened. */
    sells: hasSaleFields(initial),
  }
}
