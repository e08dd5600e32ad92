import type { RespostaRapida } from '@balcao/contract/entities/resposta-rapida'
import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react'
import { Counter } from '#shared/ui/counter.tsx'
import { Field } from '#shared/ui/field.tsx'
import { IconButton } from '#shared/ui/icon-button.tsx'
import { type Falta, type RespostaEscrita, TEXTO_NO_MAXIMO } from './rascunho-de-respostas.ts'
import { nomeDoCampo } from './use-editor-de-respostas.ts'

export interface LinhaDaRespostaProps {
  readonly resposta: RespostaEscrita
  readonly falta: Falta
  readonly posicao: number
  readonly primeira: boolean
  readonly ultima: boolean
  readonly onMudar: (campos: Partial<RespostaRapida>) => void
  readonly onMover: (passo: -1 | 1) => void
  readonly onRemover: () => void
}

function limparAtalho(escrito: string): string {
  return escrito.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/^\/+/, '').replace(/\s+/g, '-')
}

export function LinhaDaResposta({ resposta, falta, posicao, primeira, ultima, ...acoes }: LinhaDaRespostaProps) {
  const { chave, atalho, texto } = resposta
  const nome = atalho === '' ? `resposta ${posicao}` : `/${atalho}`
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2 gap-y-3 p-3 sm:gap-x-3 sm:grid-cols-[12rem_minmax(0,1fr)_auto] sm:p-4">
      <Field rotulo="Atalho" erro={falta.atalho}>
        {(ligacao) => (
          <div className="relative">
            <span aria-hidden className="absolute inset-y-0 left-3 grid place-items-center font-bold text-muted">
              /
            </span>
            <input
              {...ligacao}
              name={nomeDoCampo(chave, 'atalho')}
              className="field min-h-11 pl-6.5 font-semibold"
              maxLength={30}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              value={atalho}
              onChange={({ currentTarget }) => acoes.onMudar({ atalho: limparAtalho(currentTarget.value) })}
            />
          </div>
        )}
      </Field>
      <Field
        rotulo="Texto"
        className="max-sm:col-span-2"
        erro={falta.texto}
        aoLado={texto.length > TEXTO_NO_MAXIMO * 0.9 && <Counter usado={texto.length} total={TEXTO_NO_MAXIMO} />}
      >
        {(ligacao) => (
          <textarea
            {...ligacao}
            name={nomeDoCampo(chave, 'texto')}
            rows={2}
            maxLength={TEXTO_NO_MAXIMO}
            className="field resize-none field-sizing-content max-h-64 min-h-16"
            value={texto}
            onChange={({ currentTarget }) => acoes.onMudar({ texto: currentTarget.value })}
          />
        )}
      </Field>
      <div className="flex pt-6 max-sm:col-start-2 max-sm:row-start-1">
        <IconButton
          rotulo={`Subir ${nome}`}
          dica={false}
          className="!size-11"
          disabled={primeira}
          icone={<ArrowUp size={18} aria-hidden />}
          onClick={() => acoes.onMover(-1)}
        />
        <IconButton
          rotulo={`Descer ${nome}`}
          dica={false}
          className="!size-11"
          disabled={ultima}
          icone={<ArrowDown size={18} aria-hidden />}
          onClick={() => acoes.onMover(1)}
        />
        <IconButton
          rotulo={`Remover ${nome}`}
          dica={false}
          className="!size-11"
          icone={<Trash2 size={18} aria-hidden />}
          onClick={acoes.onRemover}
        />
      </div>
    </li>
  )
}
