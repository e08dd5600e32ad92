import type { BotContext } from '@balcao/engine/context'
import type { AccountContext } from './contextos.ts'

const engineContexts = new WeakMap<AccountContext, BotContext>()

export function toBotContext(context: AccountContext): BotContext {
  const feito = engineContexts.get(context)
  if (feito !== undefined) return feito
  const { config, empresa, iaReadsMidia, aviso } = context
  const novo: BotContext = {
    config,
    empresa,
    iaAvailable: config.ia.ativa && config.gemini.apiKey !== '',
    iaReadsMidia,
    ...(aviso === null ? {} : { avisoPrivacidade: aviso.texto }),
    produtos: context.produtos.map(({ id, nome, descricao, preco, linkCheckout, imagemUrl }) => ({
      id,
      nome,
      descricao,
      preco,
      ...(linkCheckout === '' ? {} : { linkCheckout }),
      ...(imagemUrl === null ? {} : { imagemUrl }),
    })),
  }
  engineContexts.set(context, novo)
  return novo
}
