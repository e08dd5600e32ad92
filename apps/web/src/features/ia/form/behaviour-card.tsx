import type { IaConfig } from '@balcao/contract/entities/config'
import type { LabelledFields } from '#shared/form/labelled-fields.ts'
import { Card } from '#shared/ui/card.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { RangeField } from './range-field.tsx'
import type { IaForm } from './use-ia-form.ts'

const BEHAVIOURS: LabelledFields<IaConfig['comportamentos']> = [
  { campo: 'sempreResponder', rotulo: 'Sempre responder', dica: 'Responde também o que não é opção do menu.' },
  { campo: 'lembrarContexto', rotulo: 'Lembrar o contexto', dica: '“E de chocolate?” continua a pergunta anterior.' },
  { campo: 'usarEmojis', rotulo: 'Usar emojis', dica: '“Temos sim! 😊”' },
  { campo: 'serFormal', rotulo: 'Ser formal', dica: '“Bom dia. Em que posso ajudá-lo?”' },
]

function formatSeconds(seconds: number): string {
  if (seconds === 0) return 'responde na hora'
  return seconds === 1 ? '1 segundo' : `${seconds} segundos`
}

export function BehaviourCard({ form: { ia, errors, change } }: { form: IaForm }) {
  return (
    <Card heading="Comportamento">
      <div className="grid gap-4">
        {BEHAVIOURS.map(({ campo, rotulo, dica }) => (
          <Switch
            key={campo}
            label={rotulo}
            hint={dica}
            on={ia.comportamentos[campo]}
            onChange={(enabled) =>
              change((current) => ({ comportamentos: { ...current.comportamentos, [campo]: enabled } }))
            }
          />
        ))}
        <Switch
          label="Enviar fotos e áudios dos clientes para a IA"
          hint="Vão inteiros ao Google, que os processa fora do Brasil. Desligado, o bot diz que lê só texto."
          on={ia.lerMidia}
          onChange={(lerMidia) => change({ lerMidia })}
        />
        <div className="border-t border-line pt-4">
          <RangeField
            name="esperaSegundos"
            label="Espera antes de responder"
            shownValue={formatSeconds(ia.esperaSegundos)}
            value={ia.esperaSegundos}
            endLabels={['Na hora', '30 s']}
            limits="espera"
            error={errors['esperaSegundos']}
            hint="Muita gente escreve em pedaços. A IA espera o cliente ficar quieto e responde tudo de uma vez."
            onChange={(esperaSegundos) => change({ esperaSegundos })}
          />
        </div>
      </div>
    </Card>
  )
}
