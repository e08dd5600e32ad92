import type { IaConfig } from '@balcao/contract/entities/config'
import { Card } from '#shared/ui/card.tsx'
import { Switch } from '#shared/ui/switch.tsx'

const COMPORTAMENTOS: readonly {
  readonly campo: keyof IaConfig['comportamentos']
  readonly rotulo: string
  readonly dica: string
}[] = [
  { campo: 'sempreResponder', rotulo: 'Sempre responder', dica: 'Responde também o que não é opção do menu.' },
  { campo: 'lembrarContexto', rotulo: 'Lembrar o contexto', dica: '“E de chocolate?” continua a pergunta anterior.' },
  { campo: 'usarEmojis', rotulo: 'Usar emojis', dica: '“Temos sim! 😊”' },
  { campo: 'serFormal', rotulo: 'Ser formal', dica: '“Bom dia. Em que posso ajudá-lo?”' },
]

/** The four behaviours. */
export function Comportamento({ ia, mudar }: { ia: IaConfig; mudar: (campos: Partial<IaConfig>) => void }) {
  return (
    <Card titulo="Comportamento">
      <div className="grid gap-4">
        {COMPORTAMENTOS.map(({ campo, rotulo, dica }) => (
          <Switch
            key={campo}
            rotulo={rotulo}
            dica={dica}
            ligado={ia.comportamentos[campo]}
            onMudar={(ligado) => mudar({ comportamentos: { ...ia.comportamentos, [campo]: ligado } })}
          />
        ))}
      </div>
    </Card>
  )
}
