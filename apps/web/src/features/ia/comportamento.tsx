import type { IaConfig } from '@balcao/contract/entities/config'
import type { Descritos } from '#shared/descritos.ts'
import { Card } from '#shared/ui/card.tsx'
import { Switch } from '#shared/ui/switch.tsx'
import { Regua } from './regua.tsx'
import type { FormularioDaIa } from './use-formulario-ia.ts'

const COMPORTAMENTOS: Descritos<IaConfig['comportamentos']> = [
  { campo: 'sempreResponder', rotulo: 'Sempre responder', dica: 'Responde também o que não é opção do menu.' },
  { campo: 'lembrarContexto', rotulo: 'Lembrar o contexto', dica: '“E de chocolate?” continua a pergunta anterior.' },
  { campo: 'usarEmojis', rotulo: 'Usar emojis', dica: '“Temos sim! 😊”' },
  { campo: 'serFormal', rotulo: 'Ser formal', dica: '“Bom dia. Em que posso ajudá-lo?”' },
]

function emSegundos(segundos: number): string {
  if (segundos === 0) return 'responde na hora'
  return segundos === 1 ? '1 segundo' : `${segundos} segundos`
}

export function Comportamento({ formulario: { ia, erros, mudar } }: { formulario: FormularioDaIa }) {
  return (
    <Card titulo="Comportamento">
      <div className="grid gap-4">
        {COMPORTAMENTOS.map(({ campo, rotulo, dica }) => (
          <Switch
            key={campo}
            rotulo={rotulo}
            dica={dica}
            ligado={ia.comportamentos[campo]}
            onMudar={(ligado) => mudar((atual) => ({ comportamentos: { ...atual.comportamentos, [campo]: ligado } }))}
          />
        ))}
        <div className="border-t border-line pt-4">
          <Regua
            nome="esperaSegundos"
            rotulo="Espera antes de responder"
            lido={emSegundos(ia.esperaSegundos)}
            valor={ia.esperaSegundos}
            pontas={['Na hora', '30 s']}
            limites="espera"
            erro={erros['esperaSegundos']}
            dica="Muita gente escreve em pedaços. A IA espera o cliente ficar quieto e responde tudo de uma vez."
            onMudar={(esperaSegundos) => mudar({ esperaSegundos })}
          />
        </div>
      </div>
    </Card>
  )
}
