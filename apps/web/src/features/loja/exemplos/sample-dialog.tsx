import { type SubmitEvent, useId, useState } from 'react'
import type { ExemploLoja } from '@balcao/contract/presets/lojas/exemplo-loja'
import { EXEMPLOS_LOJA } from '@balcao/contract/presets/lojas/exemplos-loja'
import type { Catalog } from '#shared/data/produtos.ts'
import { Button } from '#shared/ui/button.tsx'
import { ConfirmDialog } from '#shared/ui/confirm-dialog.tsx'
import { Dialog } from '#shared/ui/dialog.tsx'
import { Notice } from '#shared/ui/notice.tsx'
import { missingProdutos, useApplySample } from './use-apply-sample.ts'

interface SampleDialogProps {
  readonly catalog: Catalog
  readonly onClose: () => void
}

export function SampleDialog({ catalog, onClose }: SampleDialogProps) {
  const [chosen, setChosen] = useState<ExemploLoja | undefined>(EXEMPLOS_LOJA[0])
  const [asking, setAsking] = useState(false)
  const { progress, error, apply } = useApplySample(catalog)
  const busy = progress !== null
  const use = async (): Promise<void> => {
    if (chosen !== undefined && (await apply(chosen))) onClose()
  }
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    if (busy) return
    if (catalog.length > 0) setAsking(true)
    else void use()
  }
  return (
    <>
      <Dialog open title="Começar de um exemplo" hold={busy} onClose={() => !busy && onClose()}>
        <form className="grid gap-4" onSubmit={submit}>
          <p className="text-muted">
            Um cardápio que já vende: produtos, opções e taxas de entrega para você trocar pelos seus. Os pedidos pelo
            chat ficam ligados.
          </p>
          {error !== null && (
            <Notice tone="erro" title="O exemplo parou no meio">
              {error} O que já entrou fica. Tente de novo para continuar.
            </Notice>
          )}
          <SampleChoice chosen={chosen} onChoose={setChosen} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button size="touch" disabled={busy} onClick={onClose}>
              Cancelar
            </Button>
            <Button type="submit" variant="primary" size="touch" busy={busy}>
              {busy
                ? `Criando ${Math.min(progress.done + 1, progress.total)} de ${progress.total}…`
                : 'Usar este exemplo'}
            </Button>
          </div>
        </form>
      </Dialog>
      <ConfirmDialog
        harmless
        open={asking}
        title="Juntar o exemplo aos seus produtos?"
        confirmLabel="Juntar"
        onConfirm={() => void use()}
        onClose={() => setAsking(false)}
      >
        {chosen !== undefined && joinText(catalog.length, missingProdutos(chosen, catalog).length)}
      </ConfirmDialog>
    </>
  )
}

function joinText(own: number, added: number): string {
  const kept = own === 1 ? 'Seu produto fica como está' : `Seus ${own} produtos ficam como estão`
  if (added === 0) return `${kept}. Todos os produtos do exemplo já estão na lista.`
  const what = added === 1 ? 'entra 1 novo' : `entram ${added} novos`
  return `${kept}, e ${what} no fim da lista. Os clientes veem na hora.`
}

interface SampleChoiceProps {
  readonly chosen: ExemploLoja | undefined
  readonly onChoose: (sample: ExemploLoja) => void
}

function SampleChoice({ chosen, onChoose }: SampleChoiceProps) {
  const name = useId()
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 text-sm font-semibold">Qual loja parece com a sua?</legend>
      {EXEMPLOS_LOJA.map((sample) => (
        <label key={sample.id} className="flex min-h-11 items-start gap-3 rounded-xl border p-3">
          <input
            type="radio"
            name={name}
            className="size-5 flex-none accent-brand"
            checked={sample === chosen}
            onChange={() => onChoose(sample)}
          />
          <span className="min-w-0">
            <b className="block">{sample.nome}</b>
            {sample.resumo} {sample.produtos.length} produtos.
          </span>
        </label>
      ))}
    </fieldset>
  )
}
