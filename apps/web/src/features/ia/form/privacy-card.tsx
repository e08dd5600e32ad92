import type { IaConfig } from '@balcao/contract/entities/config'
import {
  FATOS_PROVEDOR,
  midiasLidas,
  provedorDeVetores,
  transcribesVoice,
} from '@balcao/contract/presets/provedores-ia'
import { Eye, EyeOff } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '#shared/ui/card.tsx'

/** The data that leave for the provider with these settings, and those that never do. */
export function PrivacyCard({ ia }: { ia: IaConfig }) {
  return (
    <Card heading="O que a IA pode ver">
      <p className="-mt-2 mb-4 text-sm text-muted">{recipientText(ia)}</p>
      <div className="grid gap-5 sm:grid-cols-2">
        <DataList title="Vai para o provedor" icon={<Eye size={16} aria-hidden />} items={sentData(ia)} />
        <DataList title="Nunca vai" icon={<EyeOff size={16} aria-hidden />} items={KEPT} />
      </div>
    </Card>
  )
}

function recipientText({ provedor }: IaConfig): string {
  const { empresa, pais, artigo } = FATOS_PROVEDOR[provedor]
  if (provedor === 'compativel') return 'Quem recebe é o servidor do endereço que você escolheu.'
  return `Quem recebe é ${artigo} ${empresa}, que processa os dados fora do Brasil (${pais}).`
}

const KEPT = [
  'CPF, cartão, telefone e e-mail escritos na conversa: são ocultados antes',
  'O número do cliente no WhatsApp',
  'Notas internas, etiquetas e observações',
  'Conversas e pedidos de outros clientes',
  'Chaves e senhas',
]

function sentData(ia: IaConfig): string[] {
  const { provedor, modeloGemini, comportamentos, lerMidia } = ia
  const read = lerMidia ? midiasLidas(provedor, modeloGemini) : []
  return [
    'O treinamento, o horário, os setores e os produtos da loja',
    provedorDeVetores(ia) === null
      ? 'Os trechos das suas fontes que falam da pergunta'
      : 'O texto das suas fontes, para achar os trechos que falam da pergunta',
    'O primeiro nome do cliente',
    comportamentos.lembrarContexto ? 'A pergunta e as mensagens recentes da conversa' : 'A pergunta do cliente',
    ...(read.includes('imagem') ? ['As fotos da pergunta, inteiras: nelas nada é ocultado'] : []),
    ...(read.includes('audio') ? ['Os áudios da pergunta, inteiros: neles nada é ocultado'] : []),
    ...(transcribesVoice(ia) ? ['Todos os áudios dos clientes, inteiros, para virarem texto'] : []),
  ]
}

function DataList({ title, icon, items }: { title: string; icon: ReactNode; items: readonly string[] }) {
  return (
    <section>
      <h3 className="flex items-center gap-2 text-sm font-semibold">
        {icon} {title}
      </h3>
      <ul className="mt-2 grid list-disc gap-1.5 pl-5 text-sm">
        {items.map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  )
}
