import { Save } from 'lucide-react'
import { useUnsavedGuard } from '#shared/hooks/use-unsaved-guard.ts'
import { Button } from '#shared/ui/button.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { SairSemSalvar } from '#shared/ui/sair-sem-salvar.tsx'
import { Skeleton } from '#shared/ui/states.tsx'
import { TextField } from '#shared/ui/text-field.tsx'
import { useOficial } from './use-oficial.ts'
import { WebhookOficial } from './webhook-oficial.tsx'

const IDS = [
  {
    campo: 'telefoneId',
    rotulo: 'Identificação do número de telefone',
    dica: 'No painel da Meta, em WhatsApp → Configuração da API.',
  },
  {
    campo: 'contaWhatsappId',
    rotulo: 'Identificação da conta do WhatsApp Business',
    dica: 'Fica ao lado da identificação do número.',
  },
] as const
const CHAVES = [
  {
    campo: 'token',
    rotulo: 'Token de acesso',
    dica: 'De um usuário do sistema, sem prazo, com as permissões de mensagens e de gerenciamento do WhatsApp.',
  },
  {
    campo: 'segredo',
    rotulo: 'Chave secreta do aplicativo',
    dica: 'Em Configurações do app → Básico. Sem ela nenhuma mensagem é recebida.',
  },
] as const

function Campos({ dados }: { dados: ReturnType<typeof useOficial> }) {
  const { valores, guardado, erros, mudar } = dados
  const comum = { autoComplete: 'off', spellCheck: false } as const
  return (
    <div className="grid gap-4 md:grid-cols-2">
      {IDS.map(({ campo, rotulo, dica }) => (
        <TextField
          key={campo}
          {...comum}
          {...{ rotulo, dica }}
          name={campo}
          value={valores[campo]}
          erro={erros[campo]}
          inputMode="numeric"
          maxLength={30}
          onChange={({ currentTarget }) => mudar({ [campo]: currentTarget.value })}
        />
      ))}
      {CHAVES.map(({ campo, rotulo, dica }) => (
        <PasswordField
          key={campo}
          {...comum}
          {...{ rotulo, dica }}
          name={campo}
          value={valores[campo]}
          erro={erros[campo]}
          maxLength={1024}
          onChange={({ currentTarget }) => mudar({ [campo]: currentTarget.value })}
          onFocus={({ currentTarget }) => {
            if (currentTarget.value !== '' && currentTarget.value === guardado[campo]) currentTarget.select()
          }}
        />
      ))}
    </div>
  )
}

export function ApiOficial() {
  const dados = useOficial()
  const { leitura, guardado, alterado, salvando, salvar } = dados
  const guarda = useUnsavedGuard(alterado)
  if (leitura.isPending) {
    return (
      <div role="status" aria-label="Carregando a API oficial" className="card grid gap-3 p-4 sm:p-5">
        <Skeleton className="h-6 w-64" />
        <Skeleton className="h-32 w-full" />
      </div>
    )
  }
  return (
    <section aria-labelledby="api-oficial" className="card p-4 sm:p-5">
      <form
        noValidate
        onSubmit={(evento) => {
          evento.preventDefault()
          salvar()
        }}
      >
        <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
          <h2 id="api-oficial" className="text-lg font-bold">
            API oficial do WhatsApp
          </h2>
          {leitura.data !== undefined && (
            <Button
              variante="primary"
              type="submit"
              className="max-sm:w-full"
              ocupado={salvando}
              disabled={!alterado && !salvando}
            >
              {!salvando && <Save aria-hidden className="size-4" />} {salvando ? 'Salvando…' : 'Salvar API oficial'}
            </Button>
          )}
        </div>
        {leitura.data === undefined ? (
          <p role="alert" className="flex flex-wrap items-center gap-3 text-sm">
            <span>{leitura.error?.message}</span>
            <Button tamanho="sm" onClick={() => void leitura.refetch()}>
              Tentar de novo
            </Button>
          </p>
        ) : (
          <Campos dados={dados} />
        )}
      </form>
      {guardado.webhook !== undefined && <WebhookOficial {...guardado.webhook} />}
      <SairSemSalvar guarda={guarda}>Os dados da API oficial ainda não foram salvos.</SairSemSalvar>
    </section>
  )
}
