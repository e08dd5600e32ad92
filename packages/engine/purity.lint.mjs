/**
 * Lint rule for the engine: no clock, no randomness, no async functions, no throw. Time and ids arrive with the
 * event.
 */

const CLOCKS = new Set(['Date.now', 'Math.random', 'performance.now', 'crypto.randomUUID'])

const isAsync = (context) => (node) => {
  if (node.async) context.report({ node, message: 'The engine is synchronous: no async functions.' })
}

const purity = {
  create(context) {
    return {
      MemberExpression(node) {
        const { object, property } = node
        const name = property.type === 'Identifier' && !node.computed ? property.name : property.value
        if (object.type === 'Identifier' && CLOCKS.has(`${object.name}.${name}`))
          context.report({
            node,
            message: `The engine reads no clock and no random source: pass ${object.name}.${name} in the event.`,
          })
      },
      'NewExpression[callee.name="Date"][arguments.length=0]'(node) {
        context.report({ node, message: 'The engine reads no clock: pass an instant to Date.' })
      },
      'CallExpression[callee.name="Date"]'(node) {
        context.report({ node, message: 'The engine reads no clock: do not call Date().' })
      },
      ThrowStatement(node) {
        context.report({ node, message: 'The engine never throws: return a result.' })
      },
      AwaitExpression(node) {
        context.report({ node, message: 'The engine is synchronous: no await.' })
      },
      FunctionDeclaration: isAsync(context),
      FunctionExpression: isAsync(context),
      ArrowFunctionExpression: isAsync(context),
    }
  },
}

export default { meta: { name: 'engine' }, rules: { purity } }
