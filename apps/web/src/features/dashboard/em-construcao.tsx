import type { Aba } from '@balcao/contract/constants'
import { DESCRICAO_DA_ABA } from './abas.ts'

/** What each tab that does not exist yet will do; nothing that looks usable and is not. */
const VAI_FAZER: Readonly<Record<Aba, readonly string[]>> = {
  geral: [],
  mensagens: ['Editar o texto do menu e as opções', 'Simular a conversa antes de salvar'],
  ia: [
    'Ligar e desligar o assistente de IA',
    'Escolher o modelo, a criatividade e o jeito de responder',
    'Escrever o prompt de treinamento e as respostas prontas',
    'Testar uma pergunta com resposta real antes de salvar',
  ],
  logs: [
    'Ver a conexão, o servidor, a IA e as mensagens do dia',
    'Pesquisar e filtrar o que o bot registrou',
    'Exportar os registros e pausar o bot para manutenção',
  ],
  atendimento: [
    'Ver as conversas que aguardam uma pessoa, por setor',
    'Assumir, responder, transferir e finalizar',
    'Criar setores com nome e cor',
  ],
  loja: [
    'Cadastrar produtos com foto, preço e link de compra',
    'Ordenar, ativar e desativar o que o bot mostra',
    'Ver como cada produto aparece na conversa',
  ],
}

export function EmConstrucao({ aba }: { aba: Aba }) {
  const { titulo, icone: Icone } = DESCRICAO_DA_ABA[aba]
  return (
    <section className="card mx-auto mt-8 max-w-lg p-6 sm:p-8">
      <span className="grid size-12 place-items-center rounded-full bg-brand-soft text-brand-ink">
        <Icone aria-hidden className="size-6" />
      </span>
      <h2 className="mt-4 text-lg font-bold">{titulo} está em construção</h2>
      <p className="mt-2 text-muted">Esta parte do painel ainda não está pronta. Quando estiver, você vai poder:</p>
      <ul className="mt-3 list-disc space-y-1 pl-5 text-muted marker:text-brand">
        {VAI_FAZER[aba].map((item) => (
          <li key={item}>{item}</li>
        ))}
      </ul>
    </section>
  )
}
