import { TEMPERATURA } from '@balcao/contract/constants'
import { modelosGeminiRoute, validarGeminiRoute } from '@balcao/contract/routes/gemini'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, CircleDashed, CircleX } from 'lucide-react'
import { useState } from 'react'
import { call } from '#shared/api-client.ts'
import { avisar } from '#shared/avisos.ts'
import { mensagemDe } from '#shared/dados/erro.ts'
import { Button } from '#shared/ui/button.tsx'
import { Card } from '#shared/ui/card.tsx'
import { Field } from '#shared/ui/field.tsx'
import { PasswordField } from '#shared/ui/password-field.tsx'
import { Select } from '#shared/ui/select.tsx'
import type { FormularioDaIa } from './use-formulario-ia.ts'

type EstadoDaChave = 'nenhum' | 'valida' | 'invalida' | 'erro'

const ESTADO = {
  nenhum: { texto: 'Chave ainda não testada', Icone: CircleDashed, cor: 'text-muted' },
  valida: { texto: 'Chave válida', Icone: CircleCheck, cor: 'text-brand-ink' },
  invalida: { texto: 'Chave inválida', Icone: CircleX, cor: 'text-danger-ink' },
  erro: { texto: 'Não foi possível testar a chave', Icone: CircleAlert, cor: 'text-warn-ink' },
} as const

/** The provider's list when it can be asked; until then the specification's own three (spec §9). */
const MODELOS = [
  { id: 'gemini-2.5-flash', nome: 'Gemini 1.5 Flash', recomendado: true },
  { id: 'gemini-1.5-pro', nome: 'Gemini 1.5 Pro' },
  { id: 'gemini-pro', nome: 'Gemini Pro' },
]

function useTesteDaChave(apiKey: string) {
  const [teste, setTeste] = useState<{ chave: string; estado: EstadoDaChave }>({ chave: '', estado: 'nenhum' })
  const [testando, setTestando] = useState(false)
  async function testar(): Promise<void> {
    if (apiKey === '') return void avisar.erro('Digite uma API Key para testar')
    setTestando(true)
    try {
      const { valida } = await call(validarGeminiRoute, { body: { apiKey } })
      setTeste({ chave: apiKey, estado: valida ? 'valida' : 'invalida' })
      if (valida) avisar.sucesso('API Key válida!')
      else avisar.erro('API Key inválida')
    } catch (erro) {
      setTeste({ chave: apiKey, estado: 'erro' })
      avisar.erro(`Erro ao validar API Key: ${mensagemDe(erro)}`)
    }
    setTestando(false)
  }
  // What was found of one key says nothing of another.
  const estado: EstadoDaChave = teste.chave === apiKey ? teste.estado : 'nenhum'
  return { estado, testando, testar }
}

function Modelo({ formulario: { ia, mudar } }: { formulario: FormularioDaIa }) {
  const { data } = useQuery({
    queryKey: ['gemini', 'modelos'],
    queryFn: ({ signal }) => call(modelosGeminiRoute, { signal }),
    retry: false,
  })
  const lista = data === undefined || data.modelos.length === 0 ? MODELOS : data.modelos
  const opcoes = lista.map(({ id, nome, recomendado }) => ({
    valor: id,
    rotulo: recomendado === true ? `${nome} (recomendado)` : nome,
  }))
  if (!opcoes.some(({ valor }) => valor === ia.modeloGemini)) {
    opcoes.push({ valor: ia.modeloGemini, rotulo: ia.modeloGemini })
  }
  return (
    <Select
      rotulo="Modelo"
      value={ia.modeloGemini}
      opcoes={opcoes}
      onChange={(modeloGemini) => mudar({ modeloGemini })}
      className="min-h-11"
      dica={<code className="text-xs break-all">{ia.modeloGemini}</code>}
    />
  )
}

/** The key and what is known of it, the model, and how freely it writes. */
export function ChaveEModelo({ formulario }: { formulario: FormularioDaIa }) {
  const { ia, mudar, erroDaChave, chaveGuardada } = formulario
  const { estado, testando, testar } = useTesteDaChave(ia.apiKey.trim())
  const { texto, Icone, cor } = ESTADO[estado]
  return (
    <Card titulo="Chave e modelo">
      <div className="grid gap-5">
        <div>
          <div className="grid gap-2 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-end">
            <PasswordField
              name="apiKey"
              rotulo="API Key"
              value={ia.apiKey}
              erro={erroDaChave}
              className="min-h-11"
              autoComplete="off"
              spellCheck={false}
              maxLength={512}
              placeholder="Cole a chave do Gemini"
              onChange={({ currentTarget }) => mudar({ apiKey: currentTarget.value })}
              onFocus={({ currentTarget }) => {
                if (currentTarget.value !== '' && currentTarget.value === chaveGuardada) currentTarget.select()
              }}
            />
            <Button className="min-h-11" ocupado={testando} onClick={() => void testar()}>
              Testar
            </Button>
          </div>
          <p role="status" className={`mt-2 flex items-center gap-2 text-sm font-semibold ${cor}`}>
            <Icone size={16} aria-hidden className="flex-none" /> {texto}
          </p>
          {ia.apiKey === '' && (
            <p className="mt-2 text-sm text-muted">
              Para usar a IA, crie uma chave no{' '}
              <a
                href="https://aistudio.google.com/apikey"
                target="_blank"
                rel="noopener noreferrer"
                className="font-semibold text-brand-ink underline"
              >
                Google AI Studio
              </a>
              , cole acima e clique em Testar.
            </p>
          )}
        </div>
        <Modelo formulario={formulario} />
        <Field rotulo={`Temperatura: ${ia.temperaturaResposta.toLocaleString('pt-BR')}`}>
          {(ligacao) => (
            <>
              <input
                {...ligacao}
                type="range"
                min={TEMPERATURA.minimo}
                max={TEMPERATURA.maximo}
                step={TEMPERATURA.passo}
                value={ia.temperaturaResposta}
                className="h-11 w-full accent-brand"
                onChange={({ currentTarget }) => mudar({ temperaturaResposta: Number(currentTarget.value) })}
              />
              <span className="flex justify-between text-sm text-muted" aria-hidden>
                <span>Precisa</span>
                <span>Criativa</span>
              </span>
            </>
          )}
        </Field>
      </div>
    </Card>
  )
}
