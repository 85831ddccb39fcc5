import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Controller, Get, Injectable, Module, Req, UseGuards } from '@nestjs/common';
import type { RequestOfUser } from './users.ts';

/** Admits requests of users to the host's own controllers. */
@Injectable()
class SignedIn implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    return context.switchToHttp().getRequest<RequestOfUser>().user !== undefined;
  }
}

@Controller()
class Pages {
  @Get('/')
  home(): string {
    return 'The page of the host.';
  }

  @Get('/me')
  @UseGuards(SignedIn)
  me(@Req() { user }: RequestOfUser): object | undefined {
    return user;
  }
}

/** The host's application. */
@Module({ controllers: [Pages] })
export class AppModule {}
