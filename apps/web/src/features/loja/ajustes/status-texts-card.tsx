import { CONTADOR } from '@balcao/contract/constants'
import type { LojaConfig } from '@balcao/contract/entities/loja'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import { LongText } from '#shared/form/long-text.tsx'
import { Card } from '#shared/ui/card.tsx'
import type { ShopSettingsForm } from './use-shop-settings-form.ts'

const FIELDS: LabelledFields<LojaConfig['mensagens']> = [
  { campo: 'novo', rotulo: 'Pedido recebido', dica: 'Logo depois que o cliente confirma.' },
  { campo: 'preparo', rotulo: 'Em preparo', dica: 'Quando você move o pedido para o preparo.' },
  { campo: 'saiu', rotulo: 'Saiu para entrega', dica: 'Só nas entregas.' },
  { campo: 'entregue', rotulo: 'Entregue', dica: 'Quando o pedido chega, ou o cliente o retira.' },
  { campo: 'cancelado', rotulo: 'Cancelado', dica: 'Quando você cancela o pedido.' },
]

export function StatusTextsCard({ form: { values, errors, change } }: { form: ShopSettingsForm }) {
  const { mensagens } = values
  return (
    <Card heading="Mensagens de cada etapa">
      <div className="grid gap-4">
        <p className="text-sm text-muted">
          <code>{'{pedido}'}</code> vira o número do pedido, e <code>{'{total}'}</code>, o valor. Em branco, nada é
          enviado.
        </p>
        {FIELDS.map(({ campo, rotulo, dica }) => (
          <LongText
            key={campo}
            label={rotulo}
            name={`mensagens.${campo}`}
            rows={2}
            total={CONTADOR.mensagem}
            value={mensagens[campo]}
            error={errors[`mensagens.${campo}`]}
            hint={dica}
            onChange={(text) => change({ mensagens: { ...mensagens, [campo]: text } })}
          />
        ))}
      </div>
    </Card>
  )
}
