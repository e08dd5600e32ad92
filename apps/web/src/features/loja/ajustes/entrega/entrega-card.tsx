import { MapPinPlus, Plus } from 'lucide-react'
import { MoneyField } from '#shared/form/money-field.tsx'
import { useRowFocus } from '#shared/hooks/use-row-focus.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import type { ShopSettingsForm } from '#features/loja/ajustes/use-shop-settings-form.ts'
import { TaxaRow } from './taxa-row.tsx'
import { newTaxa, type TaxaDraft } from './taxas.ts'

const TAXAS_MAX = 300

export function EntregaCard({ form }: { form: ShopSettingsForm }) {
  const { values, change } = form
  return (
    <Card heading="Entrega e retirada">
      <div className="grid gap-4">
        <Switch
          label="Entregar"
          hint="O bot pergunta o endereço e soma a taxa do bairro ou do CEP."
          on={values.entregaAtiva}
          onChange={(entregaAtiva) => change({ entregaAtiva })}
        />
        {values.entregaAtiva && (
          <>
            <Taxas form={form} />
            <Minimum form={form} />
          </>
        )}
        <Switch
          label="Retirar na loja"
          hint="O cliente busca o pedido, sem taxa."
          on={values.retirada}
          onChange={(retirada) => change({ retirada })}
        />
      </div>
    </Card>
  )
}

function Taxas({ form: { values, errors, change } }: { form: ShopSettingsForm }) {
  const { taxas } = values
  const put = (key: string, fields: Partial<TaxaDraft>): void =>
    change({ taxas: taxas.map((taxa) => (taxa.key === key ? { ...taxa, ...fields } : taxa)) })
  const { list, focusRow } = useRowFocus()
  const add = (tipo: TaxaDraft['tipo']) => (): void => {
    change({ taxas: [...taxas, newTaxa(tipo)] })
    focusRow(taxas.length)
  }
  const remove = (index: number): void => {
    change({ taxas: taxas.filter((_, at) => at !== index) })
    focusRow(index)
  }
  const full = taxas.length >= TAXAS_MAX
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-sm font-semibold">Taxas de entrega</legend>
      <p className="text-sm text-muted">Vale a primeira que combina. Fora delas, o bot diz que ainda não entrega.</p>
      <ol ref={list} className="mt-2 grid gap-3">
        {taxas.map((taxa, index) => (
          <TaxaRow
            key={taxa.key}
            taxa={taxa}
            index={index}
            errors={errors}
            onChange={(fields) => put(taxa.key, fields)}
            onRemove={() => remove(index)}
          />
        ))}
      </ol>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button className="min-h-11" disabled={full} onClick={add('bairro')}>
          <Plus size={18} aria-hidden /> Adicionar bairro
        </Button>
        <Button className="min-h-11" disabled={full} onClick={add('cep')}>
          <MapPinPlus size={18} aria-hidden /> Adicionar faixa de CEP
        </Button>
      </div>
    </fieldset>
  )
}

function Minimum({ form: { values, errors, change } }: { form: ShopSettingsForm }) {
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <MoneyField
        label="Pedido mínimo para entrega"
        hint="Em branco, sem mínimo."
        value={values.minimo}
        error={errors['entrega.minimoCentavos']}
        onChange={(minimo) => change({ minimo })}
      />
      <MoneyField
        label="Entrega grátis a partir de"
        hint="Em branco, a taxa vale sempre."
        value={values.gratisAcima}
        error={errors['entrega.gratisAcimaCentavos']}
        onChange={(gratisAcima) => change({ gratisAcima })}
      />
    </div>
  )
}
