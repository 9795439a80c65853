package io.fundingobservatory.gateway;

import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.Options;
import io.netty.buffer.ByteBuf;

/** Every address of the public port; what it answers is decided by the site. HEAD takes the way of GET. */
@Controller
final class PublicAddresses {
    private final Replies replies;

    PublicAddresses(Replies replies) {
        this.replies = replies;
    }

    @Get(uris = {"/", "/{+path}"})
    HttpResponse<ByteBuf> get(HttpRequest<?> request) {
        return replies.answer(request);
    }

    @Options(uris = {"/", "/{+path}"})
    HttpResponse<ByteBuf> options(HttpRequest<?> request) {
        return replies.answer(request);
    }
}
