import { Card } from '#shared/ui/card.tsx'
import { Select, type SelectProps } from '#shared/ui/select.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { IntegerField } from '#shared/form/integer-field.tsx'
import { REMINDER_MAX, type Reminder } from './shop-settings-values.ts'
import type { ShopSettingsForm } from './use-shop-settings-form.ts'

const CHOICES: SelectProps<Reminder>['options'] = [
  { valor: '0', rotulo: 'Não lembrar' },
  { valor: '30', rotulo: 'Depois de 30 minutos' },
  { valor: '60', rotulo: 'Depois de 1 hora' },
  { valor: '120', rotulo: 'Depois de 2 horas' },
  { valor: 'outro', rotulo: 'Outro tempo' },
]

export function PedidosCard({ form: { values, errors, change } }: { form: ShopSettingsForm }) {
  const { pedidos, pedirFechado, lembrete, minutos } = values
  return (
    <Card aria-label="Receber pedidos" className="grid gap-4">
      <Switch
        label="Receber pedidos pelo chat"
        hint="O cliente escreve o que quer, e o bot soma, pergunta a entrega e o pagamento e fecha o pedido."
        on={pedidos}
        onChange={(on) => change({ pedidos: on })}
      />
      {pedidos && (
        <>
          <Switch
            label="Aceitar pedidos com a loja fechada"
            hint="Vale para os pedidos feitos pela página da loja."
            on={pedirFechado}
            onChange={(on) => change({ pedirFechado: on })}
          />
          <div className="grid gap-4 sm:grid-cols-2">
            <Select
              label="Lembrar de um pedido parado"
              hint="Uma mensagem só, para quem montou o pedido e não fechou."
              value={lembrete}
              options={CHOICES}
              onChange={(choice) => change({ lembrete: choice })}
            />
            {lembrete === 'outro' && (
              <IntegerField
                label="Minutos até lembrar"
                name="lembreteMinutos"
                value={minutos}
                error={errors['lembreteMinutos']}
                hint={`De 1 a ${REMINDER_MAX}.`}
                digits={4}
                onChange={(minutos) => change({ minutos })}
              />
            )}
          </div>
        </>
      )}
    </Card>
  )
}
